"""The agent's own folder is full or has become read-only in the middle of a job: settings go back
all the same, nothing stays on loan for good, and the true reason is said.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, until
from apps.remote.agent_tests.processes import running, supervisor

pytestmark = pytest.mark.needs_root
Breakable = tuple[Path, Callable[[], None]]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MiB in memory."""
    point = tmp_path / "small"
    point.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(point)], check=True)
    yield point
    subprocess.run(["umount", "-l", str(point)], check=True)


@pytest.fixture
def ext4(tmp_path: Path, make_loop: Callable[..., Loop]) -> Iterator[Breakable]:
    """A mounted ext4 that becomes read-only when an error is found, and what makes it find one.

    Its parent mount is shared: a box that starts meanwhile copies the mount and must lose it too.
    """
    below = make_loop("below", 32)
    subprocess.run(["mkfs.ext4", "-q", "-e", "remount-ro", below.node], check=True)
    shared = tmp_path / "shared"
    point = shared / "ext4"
    point.mkdir(parents=True)
    subprocess.run(["mount", "--bind", str(shared), str(shared)], check=True)
    subprocess.run(["mount", "--make-shared", str(shared)], check=True)
    subprocess.run(["mount", below.node, str(point)], check=True)
    trigger = Path(f"/sys/fs/ext4/{below.name}/trigger_fs_error")
    if not trigger.exists():
        subprocess.run(["umount", "-R", str(shared)], check=True)
        pytest.skip("this kernel's ext4 has no trigger_fs_error")

    def break_it() -> None:
        trigger.write_text("an error of the test's own")

    yield point, break_it
    for mounted in (point, shared):
        subprocess.run(["umount", "-l", str(mounted)], check=True)
    until(lambda: not Path(f"/sys/fs/ext4/{below.name}").exists())


def fill(folder: Path) -> Path:
    """Take the last byte of a file system; the file that has it."""
    path = folder / "fill"
    for block in ("4k", "1"):
        done = subprocess.run(
            ["dd", "if=/dev/zero", f"of={path}", f"bs={block}", "oflag=append", "conv=notrunc"],
            capture_output=True,
        )
        assert done.returncode == 1
    return path


def tuned(client: Client, loop: Loop, gate: Gate, lease: float = 600.0) -> str:
    """A running job with two settings on loan."""
    tuning = [loop.want("scheduler", "kyber"), loop.want("rq_affinity", 2)]
    attempt = client.start(gate.argv, tuning=tuning, lease=lease, target=loop.target())
    running(client, attempt)
    assert loop.setting("scheduler") == "kyber"
    return attempt


def again(client: Client, loop: Loop) -> Message:
    """One more tuned job on the same disk."""
    return client.run(["true"], tuning=[loop.want("rq_affinity", 2)], target=loop.target())


def journal(client: Client, attempt: str) -> Message:
    """The loan as its file says."""
    record: Message = client.good("status", attempt=attempt)["journal"]
    return record


def test_a_full_folder_holds_the_last_files_and_lets_the_disk_go(
    small: Path, loop: Loop, gate: Gate
) -> None:
    before = loop.settings()
    with Client(small / "base") as client:
        attempt = tuned(client, loop, gate)
        room = fill(small)
        gate.open()
        status = client.good("wait", attempt=attempt)
        assert (status["state"], loop.settings()) == ("done", before)
        assert status["journal"]["state"] == "closed"
        assert {entry["name"] for entry in status["exit"]["tuning"]["restored"]} >= {"scheduler"}
        room.unlink()
        assert again(client, loop)["state"] == "done"


def without_reserve(client: Client, attempt: str, folder: Path) -> Path:
    """Fill the file system, the room that was kept aside too."""
    (client.base / "jobs" / attempt / "reserve").unlink()
    return fill(folder)


def test_values_go_back_before_anything_is_written(small: Path, loop: Loop, gate: Gate) -> None:
    """Not even the phase can be written; the loan is closed as soon as there is room, by the keeper
    alone, and until then the reason is said.
    """
    before = loop.settings()
    with Client(small / "base") as client:
        attempt = tuned(client, loop, gate, lease=1.0)
        room = without_reserve(client, attempt, small)
        boss = supervisor(client, attempt)
        gate.open()
        until(lambda: loop.settings() == before)
        os.kill(boss, signal.SIGKILL)  # it waits for room to write down how the job ended
        status = client.good("wait", attempt=attempt)
        assert status["state"] == "lost"
        assert (
            status["reason"]
            == f"benchlab's own folder {client.base} on this host cannot be written (No space left "
            "on device); free some space there"
        )
        (left,) = client.good("restore_settings", attempts=[])["open"]
        assert (left["attempt"], left["settings"]) == (attempt, [])
        assert "No space left on device" in left["reason"]
        room.unlink()
        until(lambda: journal(client, attempt)["state"] == "closed")
        assert again(client, loop)["state"] == "done"


def test_exit_on_full_file_system_is_written_later(small: Path, loop: Loop, gate: Gate) -> None:
    before = loop.settings()
    with Client(small / "base") as client:
        attempt = tuned(client, loop, gate)
        room = without_reserve(client, attempt, small)
        gate.open()
        until(lambda: loop.settings() == before)
        room.unlink()
        status = client.good("wait", attempt=attempt)
        assert (status["state"], status["exit"]["codes"]) == ("done", [0])


def test_open_journal_is_closed_before_the_next_tuning(small: Path, loop: Loop, gate: Gate) -> None:
    """The next tuned job finds the journal open and nobody there; no session has looked since."""
    with Client(small / "base") as client:
        attempt = tuned(client, loop, gate)
        os.kill(supervisor(client, attempt), signal.SIGKILL)
        gate.open()
        assert client.good("wait", attempt=attempt)["state"] == "lost"
        assert loop.setting("scheduler") == "kyber"
        done = again(client, loop)
        assert done["state"] == "done", done["refused"]
        assert journal(client, attempt)["state"] == "closed"
    assert loop.setting("scheduler") == "none"


def test_every_session_begins_by_giving_back(small: Path, loop: Loop, gate: Gate) -> None:
    before = loop.settings()
    with Client(small / "base") as client:
        attempt = tuned(client, loop, gate)
        os.kill(supervisor(client, attempt), signal.SIGKILL)
        gate.open()
        client.good("wait", attempt=attempt)
        assert loop.settings() != before
    with Client(small / "base"):
        until(lambda: loop.settings() == before)


def test_a_read_only_folder_gives_back_and_says_so(ext4: Breakable, loop: Loop, gate: Gate) -> None:
    folder, break_it = ext4
    before = loop.settings()
    with Client(folder / "base") as client:
        attempt = tuned(client, loop, gate)
        break_it()
        with pytest.raises(OSError, match="Read-only"):
            (folder / "file").write_text("")
        gate.open()
        status = client.good("wait", attempt=attempt)
        assert loop.settings() == before
        assert (status["state"], "Read-only" in status["reason"]) == ("lost", True)
    with Client(folder / "base") as client:
        (left,) = client.good("restore_settings", attempts=[])["open"]
        assert (left["attempt"], left["settings"]) == (attempt, [])
        assert "Read-only file system" in left["reason"]
        spec = {"attempt": "a-1", "commands": [{"role": "main", "argv": ["true"]}]}
        refused = client.ask("launch", spec=spec)
        assert "become read-only" in refused["message"]


def test_a_killed_supervisors_settings_go_back_from_a_read_only_folder(
    ext4: Breakable, loop: Loop, gate: Gate
) -> None:
    folder, break_it = ext4
    before = loop.settings()
    with Client(folder / "base") as client:
        attempt = tuned(client, loop, gate, lease=1.0)
        break_it()
        os.kill(supervisor(client, attempt), signal.SIGKILL)
        gate.open()
    until(lambda: loop.settings() == before)


def test_the_keeper_remembers_a_journal_that_cannot_be_read(
    small: Path, loop: Loop, gate: Gate
) -> None:
    before = loop.settings()
    with Client(small / "base") as client:
        attempt = tuned(client, loop, gate, lease=1.0)
        path = client.base / "jobs" / attempt / "tuning-journal.json"
        os.kill(supervisor(client, attempt), signal.SIGKILL)
        path.unlink()
        path.mkdir()  # reading it is an error, as on a file system that has gone away
        gate.open()
    until(lambda: loop.settings() == before)


def test_unrestorable_setting_is_reported_with_reason(small: Path, loop: Loop, gate: Gate) -> None:
    """A disk of the same identity appears meanwhile: nobody knows which of the two is meant."""
    with Client(small / "base") as client:
        attempt = tuned(client, loop, gate)
        twin = subprocess.check_output(["losetup", "-f", "--show", str(loop.file)], text=True)
        os.kill(supervisor(client, attempt), signal.SIGKILL)
        gate.open()
        client.good("wait", attempt=attempt)
        try:
            (left,) = client.good("restore_settings", attempts=[attempt])["open"]
        finally:
            subprocess.run(["losetup", "-d", twin.strip()], check=True)
        assert left["since"] > 1.7e9
        assert "there must be exactly one" in left["reason"]
        client.good("restore_settings", attempts=[attempt])
        assert journal(client, attempt)["state"] == "closed"


def test_what_was_forgotten_stays_forgotten_when_the_file_system_breaks(
    tmp_path: Path, ext4: Breakable
) -> None:
    """Names that were removed come back with the last journal that reached the disk."""
    point, break_it = ext4
    with Client(point) as client:
        attempt = client.run(["true"])["attempt"]
        client.good("delete_job", attempt=attempt)
    break_it()
    assert not (repaired(point, tmp_path) / "jobs" / attempt).exists()


def repaired(point: Path, folder: Path) -> Path:
    """The jobs of the broken file system as a check of its disk brings them back."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    node = next(device for device, place, *_ in mounts if place == str(point))
    copy, again = folder / "copy.img", folder / "again"
    again.mkdir()
    subprocess.run(["dd", f"if={node}", f"of={copy}", "bs=1M", "iflag=direct"], check=True)
    assert subprocess.run(["e2fsck", "-fy", str(copy)], check=False).returncode <= 1
    subprocess.run(["debugfs", "-R", f"rdump /jobs {again}", str(copy)], check=True)
    return again
