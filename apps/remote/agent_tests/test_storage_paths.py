"""Facts of mounts and fabrics, from recorded outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disks import mounts as mount_table
from apps.remote.agent.facts import fabrics as fabric_facts
from apps.remote.agent.facts.fabrics import (
    iscsi_disks,
    multipath_fabric,
    multipath_maps,
    nvme_fabric,
    nvme_subsystems,
)
from apps.remote.agent.facts.mounts import mount_facts, server_of

SAMPLES = Path(__file__).parent / "samples" / "fabrics"


def sample(name: str) -> str:
    return (SAMPLES / name).read_text()


def test_mounts_of_data_with_what_changes_the_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mount_table, "read_text", lambda _path: sample("mountinfo.txt"))
    found: dict[str, Any] = {str(one["point"]): one for one in mount_facts()}
    assert list(found) == ["/", "/mnt/nfs", "/mnt/ceph", "/mnt/cifs"]
    nfs = found["/mnt/nfs"]
    assert (nfs["kind"], nfs["server"]) == ("nfs4", "filer.lab")
    wanted = {"vers": "4.2", "proto": "tcp", "nconnect": "8", "rsize": "1048576", "hard": ""}
    assert wanted.items() <= nfs["options"].items()
    assert not {"addr", "clientaddr"} & set(nfs["options"])
    assert found["/mnt/ceph"]["server"] == "10.0.0.31,10.0.0.32"
    assert not {"secret", "name"} & set(found["/mnt/ceph"]["options"])
    assert found["/mnt/cifs"]["options"]["cache"] == "strict"
    assert "username" not in found["/mnt/cifs"]["options"]


@pytest.mark.parametrize(
    ("source", "server"),
    [
        ("/dev/sda2", ""),
        ("filer:/vol", "filer"),
        ("[fe80::1]:/vol", "fe80::1"),
        ("//filer/share", "filer"),
        ("tmpfs", ""),
        ("", ""),
    ],
)
def test_servers(source: str, server: str) -> None:
    assert server_of(source) == server


def test_paths_and_policy_of_multipath() -> None:
    maps = multipath_maps(sample("multipath-alua.txt"))
    assert multipath_fabric(maps["dm-3"], {}) == {
        "transport": "scsi",
        "paths": 4,
        "live": 4,
        "policy": "service-time 0, groups 2/2",
        "target": "",
    }
    named = multipath_maps(sample("multipath-named.txt"))
    assert multipath_fabric(named["dm-3"], {}) == {
        **{"transport": "scsi", "paths": 4, "live": 4, "target": ""},
        "policy": "service-time 0, groups 4",
    }
    failed = multipath_maps(
        sample("multipath-named.txt").replace("sdd 8:48 active", "sdd 8:48 failed")
    )
    assert (multipath_fabric(failed["dm-3"], {}) or {})["live"] == 3


def test_disks_of_iscsi_sessions_and_the_map_above_them() -> None:
    disks = iscsi_disks(sample("iscsi-two-lines.txt"))
    assert disks == {
        "sdb": {
            "transport": "iscsi/tcp",
            "paths": 1,
            "live": 1,
            "policy": "",
            "target": "iqn.2026-06.example:storage.shared",
        }
    }
    maps = multipath_maps(sample("multipath-named.txt"))
    joined = multipath_fabric(maps["dm-3"], disks) or {}
    assert (joined["transport"], joined["target"]) == ("iscsi/tcp", disks["sdb"]["target"])


def newer(transports: list[str]) -> str:
    """The layout of nvme-cli 2: a list of hosts, and paths inside their subsystem."""
    paths = [
        {"Name": f"nvme{number}", "Transport": name, "State": "live"}
        for number, name in enumerate(transports)
    ]
    subsystem = {"Name": "nvme-subsys0", "NQN": "nqn.x", "IOPolicy": "round-robin", "Paths": paths}
    return json.dumps([{"HostNQN": "nqn.host", "Subsystems": [subsystem]}])


def test_subsystems_of_nvme_in_both_layouts() -> None:
    old = list(nvme_subsystems(sample("nvme-1-rdma.json")))
    assert nvme_fabric("nvme-subsys0", old) == {
        **{"transport": "nvme/rdma", "paths": 1, "live": 1, "policy": ""},
        "target": "nqn.2023-12.io:109-tcp-0-kv_data1",
    }
    assert nvme_fabric("nvme0", old) == nvme_fabric("nvme-subsys0", old)
    two = list(nvme_subsystems(newer(["tcp", "tcp"])))
    found = nvme_fabric("nvme-subsys0", two) or {}
    assert (found["paths"], found["policy"]) == (2, "round-robin")
    assert nvme_fabric("nvme-subsys9", two) is None
    local = list(nvme_subsystems(newer(["pcie"])))
    assert nvme_fabric("nvme-subsys0", local) is None


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"Subsystems": [1, {"Paths": 2}]}', "null"])
def test_what_is_no_answer_gives_nothing(text: str) -> None:
    assert [one for one in nvme_subsystems(text) if one["paths"]] == []
    assert multipath_maps(text) == {}
    assert iscsi_disks(text) == {}


def test_no_program_is_started_without_such_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    def start(argv: list[str]) -> str:
        started.append(argv)
        return ""

    monkeypatch.setattr(fabric_facts, "run_helper", start)
    assert fabric_facts.fabrics(["sda", "loop0"]) == {}
    assert [argv for argv in started if argv[0] != "iscsiadm"] == []
