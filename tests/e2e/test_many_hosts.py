"""Twenty real hosts from one list: previewed, stored, trusted in three ways, checked."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.lab import until
from tests.e2e.stack import JSON, Stack
from tests.harness.fixtures import no_box
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]

COUNT = 20
# The first hosts are in the known_hosts text, the next have a certificate, the rest are compared.
KNOWN, CERTIFIED = range(8), range(8, 14)
CONFIG = "HostCertificate {folder}/host_key-cert.pub\n"


@pytest.fixture(scope="module")
def boxes(folder: Path) -> Iterator[list[NetnsHost]]:
    """Twenty hosts; some have a certificate for their address, the last of these for another."""
    if reason := no_box():
        pytest.skip(reason)
    authority = folder / "authority"
    keygen("-t", "ed25519", "-N", "", "-f", str(authority))
    with ExitStack() as ending:
        result = []
        for number in range(COUNT):
            box = NetnsHost(folder / f"box{number}")
            ending.callback(box.stop)
            if number in CERTIFIED:
                certify(box, authority, wrong=number == CERTIFIED[-1])
            box.start()
            result.append(box)
        yield result


def keygen(*words: str) -> str:
    argv = ["ssh-keygen", "-q", *words]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def certify(box: NetnsHost, authority: Path, *, wrong: bool) -> None:
    name = "192.0.2.1" if wrong else box.network.address
    key = str(box.folder / "host_key.pub")
    keygen("-s", str(authority), "-I", "box", "-h", "-n", name, "-V", "-1h:+1h", key)
    box.config = CONFIG.format(folder=box.folder)


def prints(box: NetnsHost) -> str:
    """The line that a loop over consoles shows for a host."""
    return f"{box.network.address}: {keygen('-lf', str(box.folder / 'host_key.pub'))}"


def public(box: NetnsHost) -> str:
    return " ".join((box.folder / "host_key.pub").read_text().split()[:2])


def settled(stack: Stack, batch: int) -> dict[str, JSON]:
    """The hosts of the list when no check is left."""

    def look() -> list[JSON]:
        return stack.rows(f"hosts/?batch={batch}")

    rows = until(
        look, lambda seen: all(row["check_requested_at"] is None for row in seen), 150, "checked"
    )
    return {row["name"]: row for row in rows}


def forget_addresses(stack: Stack, boxes: list[NetnsHost]) -> None:
    """Move the hosts of other files away: boxes get the addresses of boxes that are gone."""
    taken = {box.network.address for box in boxes}
    for row in stack.rows("hosts/"):
        if row["address"] in taken:
            stack.api("PATCH", f"hosts/{row['id']}/", {"address": "192.0.2.1", "enabled": False})


def test_twenty_hosts_from_one_list(stack: Stack, boxes: list[NetnsHost], folder: Path) -> None:
    forget_addresses(stack, boxes)
    lines = [f"many{n:02},{box.network.address},22,root" for n, box in enumerate(boxes)]
    known = "\n".join(f"{boxes[n].network.address} {public(boxes[n])}" for n in KNOWN)
    known += f"\n@cert-authority 10.* {(folder / 'authority.pub').read_text()}"
    body = {"text": "\n".join(["name,address,port,user", *lines]), "known_hosts": known}
    shown = stack.post("hosts/bulk/?dry_run=true", body)
    assert {row["state"] for row in shown["rows"]} == {"new"}
    assert sum(bool(row["host_key_fingerprint"]) for row in shown["rows"]) == len(KNOWN)
    stored = stack.post("hosts/bulk/", body)
    hosts = stack.rows(f"hosts/?batch={stored['batch']}")
    (line,) = {row["public_key"] for row in hosts}
    for box in boxes:
        # What the deployment lines do: one line added to the file.
        path = box.folder / "authorized_keys"
        path.write_text(f"{path.read_text()}{line}\n")
    with stack.worker():
        rows = settled(stack, stored["batch"])
        trusted = {name for name, row in rows.items() if row["host_key_fingerprint"]}
        good = [*KNOWN, *CERTIFIED[:-1]]
        assert trusted == {f"many{n:02}" for n in good}
        assert {rows[name]["health"] for name in trusted} == {"ok"}
        assert all(rows[name]["facts"]["kernel"] for name in trusted)
        wrong = f"many{CERTIFIED[-1]:02}"
        assert rows[wrong]["health_kind"] == "key_unknown"
        compare(stack, boxes, stored["batch"])


def compare(stack: Stack, boxes: list[NetnsHost], batch: int) -> None:
    """The rest is trusted by one pasted text; a swapped pair of lines is not."""
    rest = list(range(CERTIFIED[-1], COUNT))
    texts = {n: prints(boxes[n]) for n in rest}
    one, two = rest[-2:]
    swapped = dict(texts)
    swapped[one] = texts[two].replace(boxes[two].network.address, boxes[one].network.address)
    swapped[two] = texts[one].replace(boxes[one].network.address, boxes[two].network.address)
    answer = stack.post("hosts/accept-keys/", {"batch": batch, "text": "\n".join(swapped.values())})
    assert answer["accepted"] == [f"many{n:02}" for n in rest[:-2]]
    assert {row["name"] for row in answer["refused"]} == {f"many{n:02}" for n in (one, two)}
    stack.post("hosts/accept-keys/", {"batch": batch, "text": "\n".join(texts.values())})
    rows = settled(stack, batch)
    assert len(rows) == COUNT
    assert {row["health"] for row in rows.values()} == {"ok"}
    for n, box in enumerate(boxes):
        assert rows[f"many{n:02}"]["host_key_fingerprint"] in prints(box)
