"""A job's specification is one shape on both sides, and those of earlier releases are still it."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from apps.remote.agent.jobs.spec import command, setting, validate_spec
from apps.remote.decode import convert
from apps.remote.host_settings import SettingSpec
from apps.remote.job_spec import (
    VERSION,
    CommandSpec,
    DirectorySpec,
    DiskSpec,
    JobSpec,
    targets_of,
)

PRINT: CommandSpec = {
    "role": "main",
    "argv": ["fio", "{target}"],
    "files": ["result.json"],
    "always": False,
    "may_fail": True,
    "listens": "tcp:5201",
    "seconds": 30.0,
    "fills": "bench",
    "repeat": False,
}
DISK: DiskSpec = {
    "kind": "disk",
    "identity": "wwn:1",
    "size": 1000,
    "write": True,
    "allow_signatures": False,
    "fingerprint": None,
    "needs": 0,
}
FOLDER: DirectorySpec = {"kind": "directory", "path": "/scratch", "needs": 10, "write": True}
SETTING: SettingSpec = {"kind": "queue", "identity": "wwn:1", "name": "scheduler", "value": "none"}
RESTARTED: SettingSpec = {
    "kind": "ceph_conf",
    "identity": "osds:0",
    "name": "osd_op_num_shards",
    "value": "4",
    "restart": ["systemctl", "restart", "ceph-osd@0"],
}
WHOLE: JobSpec = {
    "version": VERSION,
    "attempt": "a-1",
    "commands": [PRINT],
    "targets": [DISK, FOLDER],
    "tuning": [SETTING, RESTARTED],
    "settle": 1.0,
    "lease": 60.0,
    "deadline": 400.0,
    "watch": ["wwn:1"],
    "limit": 1 << 20,
    "hold": {"seconds": 120.0},
    "pin": {"threads": 4},
    "ceph": True,
    "allow_untuned": True,
    "carry": "",
    "power": {"idle_seconds": 20.0},
    "disturbance": {
        "kind": "osd_stop", "command": 0, "fsid": "5a10368a-fb6c-40b0-9456-dccb03cde605",
        "osd": 3, "pool": "bench", "member": "", "before": 60.0, "down": 60.0, "after": 60.0,
        "timeout": 3600.0, "stop": ["stop-osd", "{id}"], "start": ["start-osd", "{id}"],
    },
}  # fmt: skip
# As 0.1.0 stored it, before a job named the version of its shape.
OLDEST: JobSpec = {
    "attempt": "a-1",
    "commands": [{"role": "main", "argv": ["fio"], "files": ["stdout"], "always": False}],
    "target": {"kind": "disk", "identity": "wwn:1", "size": 1000, "write": True,
               "allow_signatures": False},
    "tuning": [SETTING],
    "settle": 0.0,
    "lease": 60.0,
    "deadline": 400.0,
    "watch": ["wwn:1"],
}  # fmt: skip


def keys(kind: type) -> set[str]:
    return set(get_type_hints(kind))


def test_the_agent_keeps_every_key_of_the_server_and_knows_no_other() -> None:
    kept = validate_spec(WHOLE)
    assert keys(JobSpec) - {"version", "target"} == set(kept) - {"has_target_list"}
    assert {name: value for name, value in kept.items() if name != "has_target_list"} == {
        name: value for name, value in WHOLE.items() if name != "version"
    }


@pytest.mark.parametrize("item", [DISK, FOLDER])
def test_one_target_is_the_same_as_one_of_several(item: DiskSpec | DirectorySpec) -> None:
    alone: JobSpec = {"attempt": "a-1", "commands": [PRINT], "target": item}
    assert validate_spec(alone)["targets"] == [item] == targets_of(alone)


def test_commands_and_settings_have_the_same_keys() -> None:
    assert set(command(PRINT)) == keys(CommandSpec) == set(PRINT)
    assert setting(RESTARTED) == RESTARTED
    assert set(RESTARTED) == keys(SettingSpec)
    assert setting(SETTING) == SETTING


@pytest.mark.parametrize("stored", [WHOLE, OLDEST])
def test_a_stored_one_of_every_version_is_read(stored: JobSpec) -> None:
    assert keys(JobSpec) >= set(stored)
    assert convert(stored["commands"], list[CommandSpec], "commands")
    assert convert(stored["tuning"], list[SettingSpec], "tuning")
    for target in targets_of(stored):
        convert(target, DiskSpec if target["kind"] == "disk" else DirectorySpec, "target")
    assert {target["kind"] for target in targets_of(stored)} >= {"disk"}
