"""A member of an md array fails and is added again: by /proc/mdstat and a stand-in for mdadm.

The kernel of the development machine has no md, so nothing here ran on an array. The paragraphs of
/proc/mdstat are in the shapes that users published.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disks.blocks import Block
from apps.remote.agent.disturbance import checks, process, timeline
from apps.remote.agent.disturbance.cluster_state import is_clean, is_moving
from apps.remote.agent.disturbance.request import validate_disturbance
from apps.remote.agent.errors import RefusalError, RequestError
from apps.remote.agent.md import mdstat
from apps.remote.agent.processes.job_folder import Job
from apps.remote.agent.schema import Disturbance, JournalSetting
from apps.remote.agent.tuning import md_settings as members
from apps.remote.agent.tuning.md_settings import MEMBER, REMOVED, ArraySource, MdKind
from apps.remote.agent_tests.loops import until

UUID = "bd8a4b40:7c2b2a3c:7d4a92b5:3e6a2f10"
IDENTITY = "serial:member:2"
WHOLE = "md0 : active raid1 sdc[2] sdb[0]\n      1953513 blocks super 1.2 [2/2] [UU]\n"
GONE = "md0 : active raid1 sdb[0]\n      1953513 blocks super 1.2 [2/1] [U_]\n"
RAID5 = (
    "md0 : active raid5 sde[3] sdb[0] sdf[5] sdd[2] sdc[1]\n"
    "      7814041600 blocks super 1.2 level 5, 512k chunk, algorithm 2 [5/4] [UUU_U]\n"
    "      [>....................]  recovery =  0.3% (7317888/1953510400) finish=626.8min "
    "speed=51748K/sec\n"
)


def recovering(done: int, more: str = "") -> str:
    return (
        "md0 : active raid1 sdc[2] sdb[0]\n      1953513 blocks super 1.2 [2/1] [U_]\n"
        f"      [=>...................]  recovery = {done / 19535.13:.1f}% ({done}/1953513) "
        f"finish=2.0min speed=2048K/sec\n{more}"
    )


def array(text: str) -> mdstat.Array:
    found = mdstat.parse_array(text)
    assert found
    return found


def test_recovery_of_a_published_raid_5() -> None:
    one = array(RAID5)
    assert (one.level, one.disks, one.present, one.action) == ("raid5", 5, 4, "recovery")
    assert (one.done, one.size, one.speed) == (7317888, 1953510400, 51748)
    sample = mdstat.sample_of(one)
    assert is_moving(sample)
    assert sample["degraded"] == 1953510400 - 7317888
    assert sample["recovery_bytes"] == 51748 * 1024
    whole = array(RAID5[: RAID5.index("      [>")].replace("[5/4] [UUU_U]", "[5/5] [UUUUU]"))
    assert whole.component == 1953510400
    assert is_clean(mdstat.sample_of(whole))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (WHOLE.replace("raid1", "raid0"), "is raid0"),
        (WHOLE.replace("raid1", "linear"), "is linear"),
        (WHOLE.replace("active", "active (auto-read-only)"), "not active"),
        ("md0 : inactive sdc[2](S) sdb[0](S)\n      1953513 blocks super 1.2\n", "is ?"),
        (WHOLE.replace("super 1.2", "super external:/md127/0"), "may not lose"),
        (GONE, "is degraded"),
        (WHOLE.replace("sdc[2]", "sdc[2](F)"), "faulty"),
        (WHOLE.replace(" sdb", " sdd[3](S) sdb"), "spare"),
        (WHOLE.replace("[2/2] [UU]", "[1/1] [U]"), "too few"),
        (WHOLE + "      resync=DELAYED\n", "resync"),
        (WHOLE + "      resync=PENDING\n", "resync"),
        (
            WHOLE + "      [=>..]  check =  8.5% (16775/1953513) finish=17.0min speed=2597K/sec\n",
            "check",
        ),
        (WHOLE.replace("raid1", "raid6"), "too few"),
        (WHOLE.replace("raid1", "raid10"), "one copy"),
        (WHOLE.replace("sdc", "sdx"), "does not have sdc"),
    ],
)
def test_array_that_may_not_lose_a_member(text: str, word: str) -> None:
    assert word in " ".join(mdstat.member_reasons(array(text), "sdc"))


@pytest.mark.parametrize(
    "text", [WHOLE, WHOLE.replace("raid1", "raid10").replace("[2/2]", "2 near-copies [2/2]")]
)
def test_array_that_may(text: str) -> None:
    one = array(text + "      bitmap: 0/1 pages [0KB], 65536KB chunk")
    assert mdstat.member_reasons(one, "sdc") == []


def test_second_failed_member_ends_it_at_once() -> None:
    line = timeline.Timeline(disturbance(before=0, down=60), lambda: False)
    assert line.step(0.0, mdstat.sample_of(array(WHOLE))) == "disturb"
    line.done("disturb", 0.0)
    assert line.step(1.0, mdstat.sample_of(array(GONE))) == ""
    lost = array(RAID5.replace("[5/4] [UUU_U]", "[5/3] [UU__U]"))
    assert line.step(2.0, mdstat.sample_of(lost)) == "abort"
    assert line.reason == timeline.LOST
    assert line.step(2.0, mdstat.sample_of(None)) == "abort"


def disturbance(**more: Any) -> Disturbance:
    wanted = validate_disturbance(
        {"kind": "md_fail", "command": 0, "member": IDENTITY, "before": 1, "down": 1, "after": 1,
         "timeout": 60, **more}, 1,
    )  # fmt: skip
    assert wanted
    return wanted


@pytest.mark.parametrize("member", [None, "", 7])
def test_request_names_a_member(member: object) -> None:
    with pytest.raises(RequestError):
        disturbance(member=member)


class FakeHost:
    """An array of sdb and sdc, and an mdadm that records its calls and writes mdstat."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.mdstat, self.calls = folder / "mdstat", folder / "calls"
        for name, text in (("whole", WHOLE), ("gone", GONE), ("begun", recovering(4096))):
            (folder / name).write_text(text)
        faulty = WHOLE.replace("sdc[2]", "sdc[2](F)").replace("[2/2] [UU]", "[2/1] [U_]")
        (folder / "faulty").write_text(faulty)
        (folder / "busy").write_text("1")
        (folder / "words").write_text("mdadm: added /dev/sdc")
        program = folder / "bin" / "mdadm"
        program.parent.mkdir()
        program.write_text(
            f"""#!/bin/sh
cd {folder}
case "$1" in --detail) echo MD_LEVEL=raid1; echo MD_UUID={UUID}; exit;; esac
echo "$@" >> calls
case "$2" in
  --fail) cp faulty next;;
  --remove)
    if [ -s busy ]; then : > busy; echo "mdadm: hot remove failed: busy" >&2; exit 1; fi
    cp gone next;;
  --add) cat words >&2; cp begun next;;
esac
mv next mdstat
"""
        )
        program.chmod(0o755)
        self.folder = folder
        self.show(WHOLE)
        monkeypatch.setenv("BENCHLAB_TOOLS_PATH", str(program.parent))
        monkeypatch.setattr(mdstat, "MDSTAT", str(self.mdstat))
        monkeypatch.setattr(members, "resolve", lambda identity: [Block("sdc")])
        monkeypatch.setattr(members, "devices_of", lambda target: [Block("md0"), Block("sdc")])

    def show(self, text: str) -> None:
        (self.folder / "new").write_text(f"Personalities : [raid1]\n{text}\nunused devices: <none>")
        (self.folder / "new").rename(self.mdstat)

    def acts(self) -> list[str]:
        return [row.split()[1] for row in self.calls.read_text().splitlines()]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeHost:
    return FakeHost(tmp_path, monkeypatch)


@pytest.fixture
def line(host: FakeHost) -> JournalSetting:
    return members.member_line(
        disturbance(), [{"kind": "directory", "path": "/", "needs": 0, "write": True}]
    )


def test_journal_line_restores_and_repeats_are_harmless(
    host: FakeHost, line: JournalSetting
) -> None:
    kind = MdKind()
    assert (line["step"], line["restart"]["fsid"]) == ("pending", UUID)
    assert kind.read(line) == MEMBER
    kind.write(line, MEMBER)
    assert not host.calls.exists(), "nothing to restore"
    kind.write(line, REMOVED)
    assert host.acts() == ["--fail", "--remove", "--remove"], "the kernel was busy once"
    assert kind.read(line) == REMOVED
    kind.write(line, REMOVED)
    (host.folder / "words").write_text("mdadm: re-added /dev/sdc")
    kind.write(line, MEMBER)
    assert host.acts()[3:] == ["--add"]
    assert kind.is_readded
    host.show((host.folder / "faulty").read_text())
    kind.write(line, MEMBER)
    assert host.acts()[4:] == ["--remove", "--add"], "killed between fail and remove"


def test_array_is_checked_again_right_before_the_act(host: FakeHost, line: JournalSetting) -> None:
    host.show(WHOLE.replace("[2/2] [UU]", "[2/1] [_U]"))
    with pytest.raises(OSError, match="is degraded"):
        MdKind().write(line, REMOVED)
    assert not host.calls.exists()


def test_next_repeat_waits_for_the_rebuild(host: FakeHost, line: JournalSetting) -> None:
    host.show(recovering(1000))
    clock = iter(range(100))

    def pause(_seconds: float) -> None:
        if next(clock) == 3:
            host.show(WHOLE)

    source, wanted = ArraySource(line), disturbance(timeout=10)
    checks.require_sound_array(source, wanted, pause, lambda: 0.0)
    host.show(GONE)
    with pytest.raises(RefusalError, match="is degraded"):
        checks.require_sound_array(source, wanted, pause, lambda: 0.0)
    host.show(recovering(1000))
    with pytest.raises(RefusalError, match="not rebuilt"):
        checks.require_sound_array(source, wanted, lambda _s: None, lambda: float(next(clock)))


def test_disk_that_is_no_member_is_refused(host: FakeHost) -> None:
    host.show(WHOLE.replace("sdc", "sdx"))
    with pytest.raises(RefusalError, match="no whole disk"):
        members.member_line(disturbance(), [])
    host.show(WHOLE)
    with pytest.raises(RefusalError, match="not below the target"):
        members.member_line(disturbance(), [])


@pytest.fixture
def job(tmp_path: Path) -> Job:
    one = Job(str(tmp_path), "11111111-2222-3333-4444-555555555555")
    Path(one.folder).mkdir(parents=True)
    return one


def log_of(job: Job) -> list[dict[str, Any]]:
    path = Path(job.path(process.LOG))
    return [json.loads(row) for row in path.read_text().splitlines()] if path.exists() else []


def marks(job: Job) -> list[str]:
    return [row["mark"] for row in log_of(job) if "mark" in row]


def test_member_fails_and_is_rebuilt(host: FakeHost, line: JournalSetting, job: Job) -> None:
    disturber = process.Disturber(job, disturbance(), [line])
    disturber.begin(time.monotonic())
    until(lambda: "restored" in marks(job), 30)
    until(lambda: any("active+recovering" in row.get("states", {}) for row in log_of(job)), 10)
    host.show(WHOLE)
    until(lambda: "done" in marks(job), 30)
    disturber.end()
    assert marks(job) == ["disturbed", "restored", "clean", "done"]
    assert host.acts() == ["--fail", "--remove", "--remove", "--add"]
    samples = [row for row in log_of(job) if "states" in row]
    assert {"active+clean", "active+degraded", "active+recovering"} == {
        state for row in samples for state in row["states"]
    }
    assert samples[-1]["moved"] - samples[0]["moved"] == 1953513 * 1024
    assert not any(row["re_added"] for row in log_of(job) if "mark" in row)


def test_member_is_added_when_the_supervisor_is_gone(
    host: FakeHost, line: JournalSetting, job: Job
) -> None:
    disturber = process.Disturber(job, disturbance(down=600), [line])
    disturber.begin(time.monotonic())
    until(lambda: "disturbed" in marks(job), 30)
    os.close(disturber.orders)
    until(lambda: host.acts()[-1] == "--add" and MdKind().read(line) == MEMBER, 30)


def test_failed_array_is_given_its_member_at_once(
    host: FakeHost, line: JournalSetting, job: Job
) -> None:
    disturber = process.Disturber(job, disturbance(down=600), [line])
    disturber.begin(time.monotonic())
    until(lambda: "disturbed" in marks(job), 30)
    host.show(GONE.replace("active", "inactive"))
    until(lambda: "aborted" in marks(job), 30)
    disturber.end()
    assert host.acts()[-1] == "--add"
    assert [row["reason"] for row in log_of(job) if "mark" in row][-1] == timeline.LOST
