"""A directory on a file system on a loop disk: the disk below it is tuned for a test, and given
back whoever is killed; what has no disk below it is refused, or measured and filed as found.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from tests.e2e.conftest import Lab
from tests.e2e.lab import READ, assert_state, cases, ended, launch, until
from tests.e2e.stack import JSON, ApiError, kill
from tests.harness.loops import loop_disk

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
LATENCY = "iosched/read_lat_nsec"
NAMES = ("scheduler", "nr_requests", LATENCY)
_number = count(1)


def queue(node: str) -> dict[str, str]:
    """The settings of a disk as the kernel shows them; of the schedulers the chosen one."""
    folder = Path("/sys/block", Path(node).name, "queue")
    files = {name: folder / name for name in NAMES}
    found = {name: file.read_text().strip() for name, file in files.items() if file.exists()}
    return found | {"scheduler": found["scheduler"].split("[")[1].split("]")[0]}


@contextmanager
def mounted(lab: Lab, kind: str, source: str) -> Iterator[str]:
    """A file system in the box, as a directory target: "directory:3"."""
    place = lab.box.folder / f"fs{next(_number)}"
    place.mkdir()
    lab.box.inside("mount", "-t", kind, source, str(place))
    body = {"host": lab.disk["host"], "path": str(place)}
    try:
        yield f"directory:{lab.stack.post('directories/', body)['id']}"
    finally:
        lab.box.inside("umount", str(place))


def tuned(lab: Lab, **settings: object) -> JSON:
    rows = [{"kind": "queue", "name": name, "value": value} for name, value in settings.items()]
    body = {"name": f"below {next(_number)}", "settings": rows}
    made: JSON = lab.stack.post("tunings/", body)
    return made


def planned(lab: Lab, target: str, tuning: JSON, **fields: object) -> JSON:
    body = {
        "name": f"directory {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "fio", "params": READ | {"runtime": fields.pop("runtime", 2)}}],
        "targets": [target],
        "tunings": [tuning["id"]],
    }
    made: JSON = lab.stack.post("plans/", body | fields)
    return made


@pytest.fixture
def disk(tmp_path: Path, lab: Lab) -> Iterator[str]:
    with loop_disk(256, tmp_path) as node:
        lab.box.inside("mkfs.ext4", "-q", node)
        Path("/sys/block", Path(node).name, "queue", "scheduler").write_text("none")
        yield node


def in_force(case: JSON) -> dict[str, list[str]]:
    rows = case["attempts"][-1]["exit"]["tuning"]["effective"]
    keys = ("requested", "before", "value", "after")
    return {row["name"]: [row[key] for key in keys] for row in rows if row["name"] in NAMES}


def test_the_disk_below_is_tuned_and_given_back(lab: Lab, disk: str) -> None:
    before = queue(disk)
    tuning = tuned(lab, **{LATENCY: 3_000_000}, scheduler="kyber", nr_requests=32)
    with mounted(lab, "ext4", disk) as target:
        with lab.stack.worker():
            run = launch(lab.stack, planned(lab, target, tuning, runtime=3))
            asked = {"scheduler": "kyber", "nr_requests": "32", LATENCY: "3000000"}
            until(lambda: queue(disk), lambda now: now == asked, 60, "tuned")
            run = ended(lab.stack, run)
        assert_state(lab.stack, run, "succeeded")
        assert queue(disk) == before
        case = cases(lab.stack, run)[0]
    assert case["tuning_name"] == tuning["name"]
    assert in_force(case) == {
        "scheduler": ["kyber", "none", "kyber", "none"],
        "nr_requests": ["32", before["nr_requests"], "32", before["nr_requests"]],
        LATENCY: ["3000000", "(not offered)", "3000000", "(not offered)"],
    }


def test_a_worker_killed_in_between_leaves_nothing_changed(lab: Lab, disk: str) -> None:
    before = queue(disk)
    tuning = tuned(lab, scheduler="kyber", nr_requests=32)
    with mounted(lab, "ext4", disk) as target:
        with lab.stack.worker() as doomed:
            run = launch(lab.stack, planned(lab, target, tuning, runtime=4))
            until(lambda: queue(disk)["scheduler"], lambda name: name == "kyber", 60, "tuned")
            kill(doomed)
        # Nobody of benchlab's own looks after it: the host gives back what it was lent.
        until(lambda: queue(disk), lambda now: now == before, 60, "given back")
        with lab.stack.worker():
            run = ended(lab.stack, run)
        assert_state(lab.stack, run, "succeeded")
        assert queue(disk) == before
        case = cases(lab.stack, run)[0]
    assert len(case["attempts"]) == 1
    assert in_force(case)["scheduler"] == ["kyber", "none", "kyber", "none"]


def test_without_a_disk_below_the_test_is_refused(lab: Lab) -> None:
    with mounted(lab, "tmpfs", "memory") as target, lab.stack.worker():
        made = planned(lab, target, tuned(lab, scheduler="kyber"))
        run = ended(lab.stack, launch(lab.stack, made))
        case = cases(lab.stack, run)[0]
    assert case["state"] == "failed"
    assert "below which this host shows no disk" in case["reason"]
    assert lab.stack.rows(f"measurements/?run={run['id']}") == []


def test_or_it_is_measured_and_filed_as_found(lab: Lab) -> None:
    with mounted(lab, "tmpfs", "memory") as target, lab.stack.worker():
        tuning = tuned(lab, scheduler="kyber")
        made = planned(lab, target, tuning, on_tuning_unavailable="run_untuned")
        run = ended(lab.stack, launch(lab.stack, made))
        assert_state(lab.stack, run, "succeeded")
        case = cases(lab.stack, run)[0]
    (attempt,) = case["attempts"]
    assert attempt["valid"], attempt
    assert any(f"ran untuned: {tuning['name']} was not in effect" in w for w in attempt["warnings"])
    assert (case["tuning"], case["tuning_name"], case["tuning_settings"]) == (
        None,
        "Host defaults",
        [],
    )
    (row,) = lab.stack.rows(f"measurements/?run={run['id']}")
    assert row["tuning_name"] == "Host defaults"


def test_a_tuning_of_disks_is_not_launched_on_a_pair_of_hosts(lab: Lab) -> None:
    body = {"name": f"other{next(_number)}", "address": "192.0.2.7", "user": "root"}
    other = lab.stack.post("hosts/", body | {"private_key": lab.box.private_key})
    made = lab.stack.post(
        "plans/",
        {
            "name": f"pair {next(_number)}",
            "repeats": 1,
            "steps": [{"tool": "iperf", "params": {}}],
            "targets": [f"pair:{lab.disk['host']}-{other['id']}"],
            "tunings": [tuned(lab, scheduler="kyber")["id"]],
        },
    )
    with pytest.raises(ApiError, match="reaches nothing of it"):
        launch(lab.stack, made)
