"""Data that somebody put on a disk since it was enrolled, or since our own last test, is noticed;
our own tests one after another are not.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disks.fingerprint import BLOCK, sample_offsets
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, attach, partition_table, until
from apps.remote.agent_tests.processes import running, supervisor

pytestmark = pytest.mark.needs_root

MIB = 1 << 20
WIPE = ["dd", "if=/dev/urandom", "of={target}", "bs=1M", "count=8", "conv=fsync"]
MakeLoop = Callable[..., Loop]


def enrolled(client: Client, loop: Loop) -> Message:
    """The fingerprint as it is when the disk is enrolled."""
    found: Message = client.good("inspect", identity=loop.identity, write=False)["fingerprint"]
    return found


def reasons(client: Client, loop: Loop, known: Any, **changes: Any) -> list[str]:
    """Why a wipe is refused, after proving that nothing was written; empty when it is not."""
    before = loop.digest()
    done = client.run(WIPE, target=loop.target(fingerprint=known, **changes))
    if done["state"] != "refused":
        return []
    assert loop.digest() == before
    said: list[str] = done["refused"]["reasons"]
    return said


def run(*argv: str) -> None:
    subprocess.run(argv, check=True, capture_output=True)


def mkfs(loop: Loop) -> None:
    """ext4 on the whole disk."""
    run("mkfs.ext4", "-q", "-F", loop.node)


def write_after_partition_table(loop: Loop) -> None:
    """ext4 in a partition, whose table is wiped afterwards."""
    with open(loop.node, "rb+") as disk:
        disk.write(partition_table(sectors=60000))
    run("addpart", loop.node, "1", "2048", "60000")
    run("mkfs.ext4", "-q", "-F", f"{loop.node}p1")
    run("delpart", loop.node, "1")
    run("wipefs", "-q", "-a", loop.node)


def only_copies(loop: Loop) -> None:
    """ext4 whose first megabyte is gone."""
    mkfs(loop)
    run("dd", "if=/dev/zero", f"of={loop.node}", "bs=64k", "count=4", "conv=fsync")


def pages(loop: Loop) -> None:
    """A database's raw pages, with no signature that anybody knows."""
    page = b"\x17\x2a" + os.urandom(8190)
    with open(loop.node, "rb+") as disk:
        disk.write(page * 600)
        disk.flush()
        os.fsync(disk.fileno())


@pytest.mark.parametrize("put", [mkfs, write_after_partition_table, only_copies, pages])
@pytest.mark.parametrize("since", ["enrolment", "own test"])
def test_disk_with_new_data_is_refused_and_unchanged(
    client: Client, loop: Loop, put: Callable[[Loop], None], since: str
) -> None:
    known = enrolled(client, loop)
    if since == "own test":
        done = client.run(WIPE, target=loop.target(fingerprint=known))
        (known,) = done["exit"]["fingerprints"]
    put(loop)
    said = reasons(client, loop, known)
    (changed,) = [reason for reason in said if reason.startswith("Content: ")]
    words = "benchlab's last test left it" if since == "own test" else "it was when enrolled"
    assert words in changed
    assert changed.endswith("or launch again and confirm the wipe.")
    # Confirmed, as with any signature: then it may go.
    assert reasons(client, loop, known, allow_signatures=True) == []


@pytest.mark.parametrize(
    ("put", "words"),
    [
        (write_after_partition_table, "ext2/3/4 in a former partition"),
        (only_copies, "copies of an ext2/3/4 superblock"),
    ],
)
def test_remains_that_no_table_names_are_refused_at_the_first_test(
    client: Client, loop: Loop, put: Callable[[Loop], None], words: str
) -> None:
    """There before it was enrolled: nothing has changed since, but nobody was shown it either."""
    put(loop)
    (reason,) = reasons(client, loop, enrolled(client, loop))
    assert reason.startswith("Signatures: ")
    assert words in reason
    assert words in client.good("inspect", identity=loop.identity, write=True)["signatures"]


def test_what_a_confirmed_test_left_of_them_is_no_obstacle(client: Client, loop: Loop) -> None:
    """A test that overwrites the beginning leaves the copies further on."""
    only_copies(loop)
    first = client.run(WIPE, target=loop.target(allow_signatures=True))
    (known,) = first["exit"]["fingerprints"]
    assert reasons(client, loop, known) == []


def test_tests_one_after_another_recognise_their_own(client: Client, loop: Loop) -> None:
    known = enrolled(client, loop)
    for bytes_ in ("4k", "64k", "1M"):
        argv = ["fio", "--name=t", "--filename={target}", "--rw=randwrite", f"--bs={bytes_}"]
        argv += ["--size=16M", "--direct=1", "--refill_buffers"]
        done = client.run(argv, target=loop.target(fingerprint=known))
        assert done["exit"]["codes"] == [0], (done, client.read(done["attempt"], "stderr"))
        (known,) = done["exit"]["fingerprints"]
        assert known["written"] is True


def test_a_test_that_trims_may_find_what_it_gave_back_changed(client: Client, loop: Loop) -> None:
    """After a discard a disk may show zeros today and something else uniform tomorrow."""
    client.run(WIPE, target=loop.target())
    argv = ["fio", "--name=t", "--filename={target}", "--rw=trim", "--bs=1M", "--size=16M"]
    done = client.run(argv, target=loop.target(allow_signatures=True))
    (known,) = done["exit"]["fingerprints"]
    assert known["discarded"] is True
    with open(loop.node, "rb+") as disk:
        disk.write(b"\xff" * 2 * MIB)
        disk.flush()
        os.fsync(disk.fileno())
    assert reasons(client, loop, known) == []
    pages(loop)
    assert reasons(client, loop, known)


def test_a_file_replaced_under_the_same_name_is_noticed(client: Client, loop: Loop) -> None:
    """Of the same size and, at every place looked at, of the same content."""
    done = client.run(WIPE, target=loop.target())
    (known,) = done["exit"]["fingerprints"]
    content = loop.file.read_bytes()
    loop.detach()
    loop.file.unlink()
    again = attach(loop.file, 32)
    try:
        loop.file.write_bytes(content)
        (reason,) = reasons(client, again, known)
        assert "shows another file than at the last test, under the same name" in reason
        assert reasons(client, again, dict(known, backing=None)) == []
    finally:
        again.detach()


def test_a_test_that_was_cut_short_leaves_anything_on_the_same_file(
    client: Client, loop: Loop, gate: Gate
) -> None:
    known = enrolled(client, loop)
    argv = ["sh", "-c", "dd if=/dev/urandom of={target} bs=1M count=3 conv=fsync; " + gate.script]
    attempt = client.start(argv, target=loop.target(fingerprint=known))
    running(client, attempt)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    gate.open()
    assert client.good("wait", attempt=attempt)["state"] == "lost"
    unfinished = dict(known, blocks=None, written=True)
    assert reasons(client, loop, unfinished) == []
    other = dict(unfinished, backing=dict(known["backing"], inode=1))
    assert "shows another file" in reasons(client, loop, other)[0]


def test_reading_asks_for_nothing(client: Client, loop: Loop) -> None:
    known = enrolled(client, loop)
    pages(loop)
    reading = ["dd", "if={target}", "of=/dev/null", "bs=1M"]
    done = client.run(reading, target=loop.target(write=False, fingerprint=known))
    assert (done["state"], done["exit"]["fingerprints"]) == ("done", [None])


def test_inspect_says_whether_it_is_as_it_was(client: Client, loop: Loop) -> None:
    known = enrolled(client, loop)
    ask = {"identity": loop.identity, "write": False, "fingerprint": known}
    assert client.good("inspect", **ask)["content"] == []
    pages(loop)
    (reason,) = client.good("inspect", **ask)["content"]
    assert "is not as it was when enrolled" in reason


def test_a_look_of_our_own_is_waited_for(client: Client, loop: Loop) -> None:
    """A check reads the disk for seconds; that is no other user of it."""
    lock = client.base / "disk-inspection.lock"
    with open(loop.node, "rb"), lock.open("w") as looking:
        fcntl.flock(looking, fcntl.LOCK_EX)
        attempt = client.start(["true"], target=loop.target())
        waits = f":{lock.stat().st_ino} "
        until(
            lambda: [
                line
                for line in Path("/proc/locks").read_text().splitlines()
                if "->" in line and waits in line
            ]
        )
        assert client.good("status", attempt=attempt)["phase"] == "preflight"
    assert client.good("wait", attempt=attempt)["state"] == "done"


def test_invalid_fingerprint_is_a_bad_request(client: Client, loop: Loop) -> None:
    spec: Message = {"attempt": "a-1", "commands": [{"role": "main", "argv": ["true"]}]}
    spec["target"] = loop.target(fingerprint={"version": 1, "size": 5, "blocks": "xyz"})
    answer = client.ask("launch", spec=spec)
    assert (answer["error"], "not hashes" in answer["message"]) == ("bad-request", True)


@pytest.mark.parametrize("size", [BLOCK, 5 * BLOCK, 32 * MIB + 512, 10**12, 10**14])
def test_the_places_are_on_the_disk_with_its_ends(size: int) -> None:
    found = sample_offsets(size)
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (0, size // BLOCK * BLOCK - BLOCK)
    assert len(found) <= 220


def test_every_hundredth_of_a_disk_is_looked_at() -> None:
    size = 10**12
    found = [0, *sample_offsets(size), size]
    assert max(after - before for before, after in pairwise(found)) < size / 90
