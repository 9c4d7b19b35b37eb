"""OSDs of a Ceph cluster: as the cluster tells of them all, and those that run on this host."""

import os
import re
import stat
from typing import Dict, List, Optional

from ..disks.blocks import Block, whole_disk
from ..disks.carriers import leaves
from ..errors import ImpossibleError
from ..files import list_folder, read_text
from ..shapes import Osd
from .connection import Connection

OSDS = "osds:"  # begins an identity: "osds:0,3", everything of these OSDs on this host
# "[v2:10.0.0.1:6802/795,v1:10.0.0.1:6803/795]", "10.0.0.1:6800/795", "v2:[fd00::1]:6800/795"
ADDRESS = re.compile(r"(?:\[([0-9A-Fa-f:]+)\]|(\d+(?:\.\d+){3})):\d+/")
NOT_HERE = "Tuning: OSD {} does not run on this host now, so its settings cannot be lent."
NO_DISK = (
    "Tuning: OSD {} has no disk open on this host, such as one that keeps everything in memory, so "
    "no setting of a queue reaches it."
)


def cluster_osds(ceph: Connection) -> List[Osd]:
    """The cluster's OSDs by `ceph osd metadata`, those that are up and in by `ceph osd tree`; none
    where it does not tell. Raises CephError.
    """
    rows, nodes = ceph.ask("osd metadata") or [], (ceph.ask("osd tree") or {}).get("nodes") or []
    states = {node.get("id"): node for node in nodes if node.get("type") == "osd"}
    return [osd(row, states.get(row["id"], {})) for row in rows if isinstance(row.get("id"), int)]


def osd(row: Dict[str, object], node: Dict[str, object]) -> Osd:
    """One OSD of `ceph osd metadata`, with its node of the tree."""
    spots = " ".join(str(row.get(key, "")) for key in ("front_addr", "back_addr"))
    found = dict.fromkeys(six or four for six, four in ADDRESS.findall(spots))
    return {
        "id": int(str(row["id"])),
        "host": str(row.get("hostname", "")),
        "addresses": [address for address in found if address not in ("0.0.0.0", "::")],
        "devices": [name for name in str(row.get("devices", "")).split(",") if name],
        "store": str(row.get("osd_objectstore", "")),
        "up": node.get("status") == "up",
        "inside": bool(node.get("reweight")),
    }


def numbers(identity: str) -> List[int]:
    """The OSDs of an identity."""
    words = identity[len(OSDS) :].split(",")
    return [int(word) for word in words if word.isdigit()]


def require_here(osds: List[int]) -> None:
    """Raises ImpossibleError unless each of these OSDs runs on this host."""
    here = running_osds()
    reasons = [NOT_HERE.format(number) for number in osds if number not in here]
    if reasons:
        raise ImpossibleError(reasons)


def disks_of_osds(osds: List[int]) -> List[Block]:
    """The disks at the bottom of everything these OSDs have open: data, database and journal.
    Raises ImpossibleError.
    """
    require_here(osds)
    here, found = running_osds(), {}
    reasons = []
    for number in osds:
        blocks = [leaf for pid in here[number] for leaf in open_disks(pid)]
        found.update({block.name: block for block in blocks})
        if not blocks:
            reasons.append(NO_DISK.format(number))
    if reasons:
        raise ImpossibleError(reasons)
    return list(found.values())


def running_osds() -> Dict[int, List[int]]:
    """The processes of each OSD that runs on this host, also in containers."""
    found: Dict[int, List[int]] = {}
    for name in list_folder("/proc"):
        if not name.isdigit() or read_text("/proc/{}/comm".format(name)) != "ceph-osd":
            continue
        number = osd_number(name)
        if number is not None:
            found.setdefault(number, []).append(int(name))
    return found


def osd_number(pid: str) -> Optional[int]:
    """The OSD a process is, by its arguments (ceph-osd(8): -i, --id)."""
    try:
        with open("/proc/{}/cmdline".format(pid), "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return None
    match = re.search(r"\0(?:-i\0?|--id[=\0])(\d+)\0", text)
    return int(match.group(1)) if match else None


def open_disks(pid: int) -> List[Block]:
    """The disks below every block device that a process has open."""
    folder, found = "/proc/{}/fd".format(pid), {}
    for name in list_folder(folder):
        try:
            state = os.stat(os.path.join(folder, name))
        except OSError:
            continue
        disk = whole_disk(state.st_rdev) if stat.S_ISBLK(state.st_mode) else None
        found.update({leaf.name: leaf for leaf in leaves(disk)} if disk else {})
    return list(found.values())
