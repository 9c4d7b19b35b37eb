"""Fabrics between a host and its disks: transport, paths, policy and target.

Read from `nvme list-subsys -o json`, `multipath -ll` and `iscsiadm -m session -P 3`, as far as
these programs are installed. A disk of the host itself has no fabric.
"""

import json
import os
import re
from typing import Any, Dict, Iterator, List, Optional

from ..disks.blocks import Block
from ..disks.signatures import run_helper
from ..schema import Response

MAX_LENGTH = 300
LOCAL = ("pcie", "")
NVME = re.compile(r"^nvme\d+n\d+$")
MAP = re.compile(r"^(?P<name>\S+) (?:\((?P<wwid>\S+)\) )?(?P<dm>dm-\d+) ")
GROUP = re.compile(r"policy='(?P<policy>[^']*)' prio=\S+ status=(?P<status>\w+)")
PATH = re.compile(r"\d+:\d+:\d+:\d+ +(?P<name>\w+) +\d+:\d+ +(?P<state>\w+)")
TARGET = re.compile(r"^Target: (\S+)")
PORTAL = re.compile(r"^\s*Current Portal: (\S+?)(?:,\d+)?$")
ATTACHED = re.compile(r"^\s*Attached scsi disk (\w+)\s", re.IGNORECASE)

Fabric = Dict[str, Any]


def fabrics(names: List[str]) -> Dict[str, Response]:
    """Return the fabric of each disk that has one, by kernel name."""
    subsystems: List[Fabric] = []
    sessions: Dict[str, Fabric] = {}
    maps: Dict[str, Fabric] = {}
    if any(NVME.match(name) for name in names):
        subsystems = list(nvme_subsystems(run_helper(["nvme", "list-subsys", "-o", "json"])))
    if os.path.isdir("/sys/class/iscsi_session"):
        sessions = iscsi_disks(run_helper(["iscsiadm", "-m", "session", "-P", "3"]))
    if any(name.startswith("dm-") for name in names):
        maps = multipath_maps(run_helper(["multipath", "-ll"]))
    result: Dict[str, Response] = {}
    for name in names:
        parent = os.path.basename(os.path.realpath(os.path.join(Block(name).folder, "device")))
        found = (
            nvme_fabric(parent, subsystems)
            if NVME.match(name)
            else multipath_fabric(maps[name], sessions)
            if name in maps
            else sessions.get(name)
        )
        if found:
            result[name] = found
    return result


def nvme_subsystems(text: str) -> Iterator[Fabric]:
    """Yield name, NQN, policy and paths of each subsystem, in the layouts of nvme-cli 1 and 2."""
    try:
        document = json.loads(text) if text else []
    except ValueError:
        return
    hosts = document if isinstance(document, list) else [document]
    for host in hosts:
        rows = host.get("Subsystems") if isinstance(host, dict) else None
        current: Optional[Fabric] = None
        for row in rows if isinstance(rows, list) else []:
            if not isinstance(row, dict):
                continue
            if "Name" in row or "NQN" in row:
                current = {"name": row.get("Name"), "nqn": row.get("NQN"), "paths": []}
                current["policy"] = row.get("IOPolicy") or ""
                yield current
            # nvme-cli 1 lists the paths in an object of their own.
            paths = row.get("Paths")
            if current is not None and isinstance(paths, list):
                current["paths"] += [path for path in paths if isinstance(path, dict)]


def nvme_fabric(parent: str, subsystems: List[Fabric]) -> Optional[Response]:
    """Return the fabric of a namespace below this subsystem or controller; None for PCIe."""
    for one in subsystems:
        paths = one["paths"]
        if parent not in [one["name"], *(path.get("Name") for path in paths)]:
            continue
        mine = paths if parent == one["name"] else [p for p in paths if p.get("Name") == parent]
        transports = sorted({str(path.get("Transport") or "") for path in mine})
        if not mine or set(transports) <= set(LOCAL):
            return None
        live = sum(path.get("State", "live") == "live" for path in mine)
        return fabric("nvme/" + "+".join(transports), len(mine), live, one["policy"], one["nqn"])
    return None


def multipath_maps(text: str) -> Dict[str, Fabric]:
    """Return policy and paths of each map of `multipath -ll`, by the name of its dm device."""
    result: Dict[str, Fabric] = {}
    current: Fabric = {}
    for line in text.splitlines():
        start, group, path = MAP.match(line), GROUP.search(line), PATH.search(line)
        if start:
            current = result[start.group("dm")] = {"policies": [], "groups": [], "paths": []}
        elif group and current:
            current["policies"].append(group.group("policy"))
            current["groups"].append(0)
        elif path and current:
            current["paths"].append((path.group("name"), path.group("state")))
            if current["groups"]:
                current["groups"][-1] += 1
    return result


def multipath_fabric(one: Fabric, sessions: Dict[str, Fabric]) -> Optional[Response]:
    """Return the fabric of a multipath map; the sizes of its groups are part of the policy."""
    names = [name for name, _state in one["paths"]]
    if not names:
        return None
    known = [sessions[name] for name in names if name in sessions]
    transport = str(known[0]["transport"]) if known else "scsi"
    target = str(known[0]["target"]) if known else ""
    policy = " + ".join(sorted(set(one["policies"])))
    groups = "/".join(str(size) for size in one["groups"])
    active = sum(state == "active" for _name, state in one["paths"])
    return fabric(transport, len(names), active, "{}, groups {}".format(policy, groups), target)


def iscsi_disks(text: str) -> Dict[str, Fabric]:
    """Return the fabric of each disk of an iSCSI session, by kernel name."""
    result: Dict[str, Fabric] = {}
    target, transport = "", "iscsi"
    for line in text.splitlines():
        found, disk = TARGET.match(line), ATTACHED.match(line)
        if found:
            target, transport = found.group(1), "iscsi"
        elif line.strip().startswith("Iface Transport:"):
            transport = "iscsi/" + line.split(":", 1)[1].strip()
        elif disk:
            result[disk.group(1)] = fabric(transport, 1, 1, "", target)
    return result


def fabric(transport: str, paths: int, live: int, policy: object, target: object) -> Fabric:
    """Return the facts of one fabric. Addresses are left out: they differ between equal hosts."""
    return {
        "transport": transport[:MAX_LENGTH],
        "paths": paths,
        "live": live,
        "policy": str(policy or "")[:MAX_LENGTH],
        "target": str(target or "")[:MAX_LENGTH],
    }
