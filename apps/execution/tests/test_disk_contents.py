"""An engine, the real agent, fio and a loop disk: our own tests one after another recognise the
disk, what somebody else put there is refused until it is confirmed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import User
from apps.execution.engine.loop import Engine
from apps.execution.services.disk_state import disk_contents_store
from apps.execution.tests.test_engine_local import until
from apps.inventory.domain.fingerprints import content_status
from apps.inventory.models import Disk, Host
from apps.inventory.services import disk_enrol
from apps.remote.agent_tests import loops
from apps.remote.agent_tests.loops import Loop, attach
from apps.results.models import Measurement
from apps.runs.models import AttemptState, Case, Run, RunState
from apps.runs.selectors.effective_settings import effective_settings
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import PARAMS, create_attempt, create_disk, create_host, create_plan
from apps.tuning.services import TuningDraft, tuning_create

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.needs_root,
    pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed here"),
]
KNOWN = {
    "version": 1,
    "size": 64 << 20,
    "blocks": "0123abcd",
    "backing": None,
    "written": False,
    "discarded": False,
}
WRITE = PARAMS | {"rw": "randwrite", "size": 16 << 20, "runtime": 1}


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Loop]:
    if os.geteuid() != 0:
        pytest.skip("makes loop devices, which only root may")
    made = attach(tmp_path / "disk.img", 64)
    yield made
    made.detach()


@pytest.fixture
def engine(engine: Engine) -> Engine:
    """A running engine."""
    engine.start()
    return engine


@pytest.fixture
def disk(engine: Engine, loop: Loop, owner: User) -> Disk:
    """The loop disk, enrolled and looked at."""
    host = create_host()
    row = Disk.objects.create(
        host=host, identity=loop.identity, device_path=loop.node, size=loop.file.stat().st_size
    )
    return confirmed(row, owner)


def confirmed(disk: Disk, owner: User) -> Disk:
    """Enrolled, or once more; as soon as a check has looked."""
    disk_enrol(disk=disk, user=owner, confirmation=disk.identity)
    host = Host.objects.filter(pk=disk.host_id, check_requested_at__isnull=True)
    loops.until(lambda: host.exists() and Disk.objects.get(pk=disk.pk).fingerprint)
    disk.refresh_from_db()
    assert content_status(disk.fingerprint) == "enrolment"
    return disk


def launched(owner: User, disk: Disk, **options: Any) -> Run:
    """A run of one case on the disk that writes, when it is over."""
    fields: dict[str, Any] = {"params": WRITE, "repeats": 1, "tunings": (), "tool": "fio"}
    fields |= {name: options.pop(name) for name in fields if name in options}
    plan = create_plan(owner=owner, target=disk, **fields)
    run = run_launch(plan=plan, user=owner, **options)
    return until(run, RunState.SUCCEEDED, RunState.FAILED, RunState.LOST)


def _filesystem(values: dict[str, str]) -> list[dict[str, str]]:
    return [{"kind": "filesystem", "name": name, "value": text} for name, text in values.items()]


def put_pages(loop: Loop) -> None:
    """Somebody's raw database pages."""
    with open(loop.node, "rb+") as node:
        node.write((b"\x17\x2a" + os.urandom(8190)) * 600)
        node.flush()
        os.fsync(node.fileno())


def test_our_own_tests_follow_one_another(disk: Disk, owner: User) -> None:
    run = launched(owner, disk, repeats=3)
    assert run.state == RunState.SUCCEEDED, [case.reason for case in run.cases.all()]
    disk.refresh_from_db()
    assert content_status(disk.fingerprint) == "test"
    assert launched(owner, disk).state == RunState.SUCCEEDED


def test_data_of_somebody_else_is_refused_until_it_is_confirmed(
    disk: Disk, loop: Loop, owner: User
) -> None:
    assert launched(owner, disk).state == RunState.SUCCEEDED
    put_pages(loop)
    before = loop.digest()
    run = launched(owner, disk)
    assert (run.state, loop.digest()) == (RunState.FAILED, before)
    case: Case = run.cases.get()
    assert "is not as benchlab's last test left it" in case.reason
    disk.refresh_from_db()
    assert disk.content_changed.startswith("Content: ")
    assert launched(owner, disk).state == RunState.FAILED  # trying again is no confirmation
    assert launched(owner, confirmed(disk, owner)).state == RunState.SUCCEEDED
    put_pages(loop)
    assert launched(owner, disk, confirm_wipe=True).state == RunState.SUCCEEDED
    disk.refresh_from_db()
    assert (content_status(disk.fingerprint), disk.content_changed) == ("test", "")


def test_files_of_two_file_systems_and_the_raw_disk_follow_one_another(
    disk: Disk, loop: Loop, owner: User
) -> None:
    asked = {"filesystem": "ext4", "fs_journal": "no", "mount_options": "noatime,nodelalloc"}
    tunings = tuple(
        tuning_create(user=owner, draft=TuningDraft(name, settings=_filesystem(values)))
        for name, values in (("raw", {}), ("ext4", {"filesystem": "ext4"}), ("bare", asked))
    )
    run = launched(owner, disk, tunings=tunings)
    assert run.state == RunState.SUCCEEDED, [case.reason for case in run.cases.all()]
    case = run.cases.get(run_tuning__name="bare")
    (job,) = case.attempts.get().jobs.all()
    rows = {row.name: row for row in effective_settings([job]) if row.kind == "filesystem"}
    shown = rows.pop("mounted")
    assert {name: row.requested for name, row in rows.items()} == asked
    assert {name: row.during for name, row in rows.items()} == asked
    assert {(row.before, row.after) for row in rows.values()} == {("none", "none")}
    assert (shown.before, shown.after) == ("no", "no")
    assert "noatime" in str(shown.during)
    argv = [str(case.attempts.get().argv) for case in run.cases.all()]
    assert sum("/files-" in words for words in argv) == 2
    disk.refresh_from_db()
    assert content_status(disk.fingerprint) == "test"
    params = {"operation": "write", "file_size": 4 << 20, "record_size": 65536}
    run = launched(owner, disk, tunings=tunings[1:], tool="iozone", params=params)
    assert run.state == RunState.SUCCEEDED, [case.reason for case in run.cases.all()]
    argv = [str(case.attempts.get().argv) for case in run.cases.all()]
    assert ["/files-" in words for words in argv] == [True, True]
    assert Measurement.objects.filter(case__run=run, operation="write").count() == 2


def test_a_file_system_that_was_made_before_a_refusal_is_our_own_content(
    disk: Disk, owner: User
) -> None:
    """Room is looked at in the file system: what was made by then nobody has to confirm."""
    draft = TuningDraft("ext4", settings=_filesystem({"filesystem": "ext4"}))
    tuning = tuning_create(user=owner, draft=draft)
    large = launched(owner, disk, tunings=(tuning,), params=WRITE | {"size": 60 << 20})
    assert large.state == RunState.FAILED
    assert "the file system made on" in large.cases.get().reason
    disk.refresh_from_db()
    assert content_status(disk.fingerprint) == "test"
    assert launched(owner, disk).state == RunState.SUCCEEDED


@pytest.mark.parametrize(
    ("state", "exit_", "touched", "content"),
    [
        (AttemptState.LOST, {}, True, "unfinished"),
        (AttemptState.FAILED, {}, False, "enrolment"),
        (AttemptState.FAILED, {"started": {}, "codes": [1]}, True, "enrolment"),
        (AttemptState.FAILED, {"started": {"realtime": 1.0}}, True, "unfinished"),
    ],
)
def test_an_attempt_without_a_fingerprint_leaves_what_it_may_have_left(
    owner: User,
    state: AttemptState,
    exit_: dict[str, object],
    touched: bool,
    content: str,
) -> None:
    disk = create_disk(host=create_host(), owner=owner, fingerprint=KNOWN)
    target = {"kind": "disk", "identity": disk.identity, "size": disk.size, "write": True}
    plan = create_plan(owner=owner, target=disk, params=WRITE)
    case = run_launch(plan=plan, user=owner).cases.get()
    attempt = create_attempt(case, state=state, exit=exit_, spec={"target": target})
    disk_contents_store(attempt, "", touched=touched)
    now = Disk.objects.get(pk=disk.pk).fingerprint
    assert content_status(now) == content
    assert (now == KNOWN) == (content == "enrolment")
