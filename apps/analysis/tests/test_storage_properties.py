"""Mounts, fabrics and one pass of preconditioning as properties of results."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from apps.accounts.models import User
from apps.analysis.repeats.conditions import preconditioning_texts
from apps.analysis.repeats.repeats import properties_of
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.plans.schemas.preconditioning import Preconditioning

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


@pytest.mark.django_db
def test_one_pass_of_preconditioning_is_a_property_of_its_run(owner: User) -> None:
    run = create_measured_run(Setup(owner))
    assert preconditioning_texts({run.pk}) == {}
    once = Preconditioning(sprandom_over_provisioning=0.07)
    run.spec = replace(run.spec, preconditioning=once)
    run.save(update_fields=["spec"])
    assert preconditioning_texts({run.pk}) == {
        run.pk: "one pass with sprandom, over-provisioning 0.07"
    }
