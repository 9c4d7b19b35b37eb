"""Several targets of one job: all are held and checked, or none is touched."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.remote.agent.targets.free_space import reserved_bytes
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import Loop, until
from apps.remote.agent_tests.test_directory import target as directory

pytestmark = pytest.mark.needs_root
MakeLoop = Callable[..., Loop]
WRITE = ["dd", "if=/dev/urandom", "of={target0}", "bs=1M", "count=4", "conv=fsync"]


def test_words_stand_for_the_targets_in_their_order(client: Client, make_loop: MakeLoop) -> None:
    first, second = make_loop("a"), make_loop("b")
    done = client.run(
        ["echo", "{target}", "{target0}", "{target1}:{target}"],
        targets=[second.target(), first.target()],
    )
    words = ["echo", second.node, second.node, f"{first.node}:{second.node}"]
    assert done["argv"] == [words]
    assert done["exit"]["node"] == [second.node, first.node]
    assert done["exit"]["identity_after"] == [second.identity, first.identity]


def test_single_target_in_list_reports_lists(client: Client, loop: Loop) -> None:
    assert client.run(["true"], targets=[loop.target()])["exit"]["node"] == [loop.node]
    assert client.run(["true"], target=loop.target())["exit"]["node"] == loop.node
    done = client.run(["true"])["exit"]
    assert (done["node"], done["identity_after"]) == (None, None)


@pytest.mark.parametrize("trouble", ["open elsewhere", "size", "signature", "gone"])
def test_one_that_cannot_be_had_leaves_all_untouched(
    client: Client, make_loop: MakeLoop, trouble: str
) -> None:
    mark = bytes(512) + b"EFI PART" if trouble == "signature" else b""
    good, bad = make_loop("good"), make_loop("bad", content=mark)
    before = good.digest(), bad.digest()
    wrong: dict[str, Message] = {"size": {"size": 512}, "gone": {"identity": bad.identity + "x"}}
    targets = [good.target(), bad.target(**wrong.get(trouble, {}))]
    if trouble == "open elsewhere":
        with open(bad.node, "rb"):
            done = client.run(WRITE, targets=targets)
    else:
        done = client.run(WRITE, targets=targets)
    assert done["state"] == "refused"
    assert not any(good.node in reason for reason in done["refused"]["reasons"])
    assert (good.digest(), bad.digest()) == before
    os.close(os.open(good.node, os.O_RDWR | os.O_EXCL))


def test_refusal_of_several_targets_has_all_reasons(client: Client, make_loop: MakeLoop) -> None:
    loops = [make_loop("a"), make_loop("b")]
    done = client.run(WRITE, targets=[loop.target(size=512) for loop in loops])
    reasons = done["refused"]["reasons"]
    assert [any(loop.node in reason for reason in reasons) for loop in loops] == [True, True]


def test_every_claim_lives_as_long_as_the_last_process(
    client: Client, make_loop: MakeLoop, tmp_path: Path
) -> None:
    """The supervisor is gone, and the tool alone holds both disks."""
    loops = [make_loop("a"), make_loop("b")]
    attempt = client.start(["sleep", "60"], targets=[loop.target() for loop in loops])
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    boss = client.base / "jobs" / attempt / "supervisor"
    os.kill(int(boss.read_text()), 9)
    for loop in loops:
        with pytest.raises(OSError, match="busy"):
            os.open(loop.node, os.O_RDWR | os.O_EXCL)
    assert client.good("cancel", attempt=attempt, grace=0.2)["survivors"] == []
    for loop in loops:
        os.close(os.open(loop.node, os.O_RDWR | os.O_EXCL))


def test_all_are_watched(client: Client, make_loop: MakeLoop) -> None:
    loops = [make_loop("a"), make_loop("b"), make_loop("c")]
    done = client.run(["true"], targets=[loop.target() for loop in loops])
    log = client.read(done["attempt"], "device.log").splitlines()
    assert [json.loads(line)["name"] for line in log[:3]] == [loop.name for loop in loops]


def test_a_disk_and_directories_together(client: Client, loop: Loop, tmp_path: Path) -> None:
    places = [tmp_path / "one", tmp_path / "two"]
    for place in places:
        place.mkdir()
    script = 'echo disk > "$0" && echo one > "$1/t" && echo two > "$2/t"'
    done = client.run(
        ["sh", "-c", script, "{target0}", "{target1}", "{target2}"],
        targets=[loop.target(), *map(directory, places)],
    )
    assert done["exit"]["codes"] == [0]
    assert [(place / "benchlab" / "t").read_text() for place in places] == ["one\n", "two\n"]
    assert done["exit"]["identity_after"] == [loop.identity, None, None]


def test_refused_disk_creates_no_folder(client: Client, loop: Loop, tmp_path: Path) -> None:
    done = client.run(WRITE, targets=[directory(tmp_path), loop.target(size=512)])
    assert done["state"] == "refused"
    assert not (tmp_path / "benchlab").exists()


def test_directories_of_one_file_system_share_its_space(client: Client, tmp_path: Path) -> None:
    places = [tmp_path / "one", tmp_path / "two"]
    for place in places:
        place.mkdir()
    room = os.statvfs(tmp_path)
    free, kept = room.f_bavail * room.f_frsize, reserved_bytes(room.f_blocks * room.f_frsize)
    needs = (free - kept) * 2 // 3  # each has room alone, however full this machine's disk is
    targets = [directory(place, needs=needs) for place in places]
    (reason,) = client.run(WRITE, targets=targets)["refused"]["reasons"]
    assert "together they need" in reason
    assert not any((place / "benchlab").exists() for place in places)


def test_nothing_is_tidied_below_any_of_them(client: Client, tmp_path: Path) -> None:
    places = [tmp_path / "one", tmp_path / "two"]
    for place in places:
        place.mkdir()
    attempt = client.start(["sleep", "30"], targets=[directory(place) for place in places])
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    assert client.ask("cleanup_directories", directory=str(places[1]))["error"] == "busy"
    client.good("cancel", attempt=attempt, grace=1)
    client.good("cleanup_directories", directory=str(places[1]))


def twice(loop: Loop) -> Message:
    return {"targets": [loop.target(), loop.target()]}


def both(loop: Loop) -> Message:
    return {"target": loop.target(), "targets": [loop.target()]}


def beyond(loop: Loop) -> Message:
    return {"targets": [loop.target()], "argv": ["echo", "{target1}"]}


def no_list(loop: Loop) -> Message:
    return {"targets": loop.target()}


@pytest.mark.parametrize("wrong", [twice, both, beyond, no_list])
def test_a_spec_that_means_nothing_is_not_started(
    client: Client, loop: Loop, wrong: Callable[[Loop], dict[str, object]]
) -> None:
    spec = wrong(loop)
    argv = spec.pop("argv", ["true"])
    spec.update(attempt="a", commands=[{"role": "main", "argv": argv}])
    answer = client.ask("launch", spec=spec)
    assert answer["error"] == "bad-request"
    assert not (client.base / "jobs" / "a").exists()
