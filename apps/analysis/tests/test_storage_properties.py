"""Mounts, fabrics and one pass of preconditioning as properties of results."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from apps.accounts.models import User
from apps.analysis.repeats.preparations import preconditioning_texts
from apps.analysis.repeats.repeats import properties_of
from apps.inventory.models import Disk
from apps.plans.schemas.preconditioning import NOTHING, Preconditioning
from apps.plans.services.workloads import workload_ensure
from apps.runs.models import Purpose, RunTarget
from apps.runs.tests.factories import create_case, create_disk, create_host, create_run
from apps.tools.registry import preparing, tool

NFS = {
    "point": "/mnt/nfs",
    "kind": "nfs4",
    "server": "filer",
    "source": "filer:/vol",
    "options": {"vers": "4.2", "nconnect": "8", "hard": ""},
}
ROOT = {"point": "/", "kind": "ext4", "server": "", "source": "/dev/sda2", "options": {"rw": ""}}
FABRIC = {"transport": "nvme/tcp", "paths": 2, "live": 1, "policy": "numa", "target": "nqn.x"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/mnt/nfs/bench", "nfs4 of filer, hard, nconnect=8, vers=4.2"),
        ("/mnt/nfs", "nfs4 of filer, hard, nconnect=8, vers=4.2"),
        ("/mnt/nfs2", "ext4, rw"),
        ("/srv", "ext4, rw"),
    ],
)
def test_a_directory_has_its_file_system(path: str, expected: str) -> None:
    assert properties_of({"mounts": [ROOT, NFS]}, "", path)["mount"] == expected


@pytest.mark.parametrize("facts", [{}, {"mounts": None}, {"mounts": [1, {"point": 2}]}])
def test_a_host_that_reported_no_mounts_is_unknown(facts: dict[str, Any]) -> None:
    assert properties_of(facts, "", "/srv")["mount"] == "unknown"
    assert "mount" not in properties_of(facts, "")


@pytest.mark.parametrize(
    ("fabric", "expected"),
    [
        (FABRIC, "nvme/tcp, 2 paths (1 not live), numa, nqn.x"),
        ({**FABRIC, "paths": 1, "policy": ""}, "nvme/tcp, 1 path, nqn.x"),
        (None, "none"),
        ("broken", "none"),
    ],
)
def test_a_disk_has_its_fabric(fabric: object, expected: str) -> None:
    disk = {"identity": "wwn:1", "fabric": fabric}
    assert properties_of({"disks": [disk]}, "wwn:1")["fabric"] == expected
    assert properties_of({"disks": []}, "wwn:1")["fabric"] == "unknown"


ONCE = Preconditioning(sprandom_over_provisioning=0.07)
FILLED = Preconditioning(sequential_fills=2)
WORDS = "one pass with sprandom, over-provisioning 0.07"


def started(disk: Disk, owner: User, hour: int, planned: Preconditioning, ended: bool) -> RunTarget:
    """A run on the disk that began at this hour; `ended`: its preparation ended well."""
    run = create_run(owner=owner, target=disk)
    run.spec = replace(run.spec, preconditioning=planned)
    run.started_at = datetime(2026, 1, 1, hour, tzinfo=UTC)
    run.save(update_fields=["spec", "started_at"])
    if ended:
        known = preparing(planned.kinds[0])
        assert known
        name, raw = known[0], {**known[1]} | ({"spr_op": "0.07"} if planned == ONCE else {})
        kind = tool(name).params
        assert kind
        workload = workload_ensure(tool=name, params=kind.from_raw(raw))
        create_case(run, workload, disk, purpose=Purpose.PRECONDITION)
    return run.targets.get()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("earlier", "own", "expected"),
    [
        ([], NOTHING, ""),
        ([], ONCE, WORDS),
        ([(ONCE, True)], NOTHING, WORDS),
        ([(ONCE, False)], NOTHING, ""),
        ([(ONCE, True)], FILLED, ""),
        ([(ONCE, True), (FILLED, True)], NOTHING, ""),
        ([(ONCE, True), (FILLED, False)], NOTHING, WORDS),
        ([(FILLED, True), (ONCE, True), (NOTHING, False)], NOTHING, WORDS),
    ],
)
def test_one_pass_with_sprandom_stays_a_property_of_the_disk(
    owner: User,
    earlier: list[tuple[Preconditioning, bool]],
    own: Preconditioning,
    expected: str,
) -> None:
    host = create_host()
    disk, other = create_disk(host=host, owner=owner), create_disk(host=host, owner=owner)
    before = started(other, owner, 0, NOTHING, False)
    for hour, (planned, ended) in enumerate(earlier, start=1):
        started(disk, owner, hour, planned, ended)
    target = started(disk, owner, 12, own, False)
    started(disk, owner, 13, FILLED, True)
    found = preconditioning_texts({before.pk, target.pk})
    assert found == ({target.pk: expected} if expected else {})
