"""OSDs of a Ceph cluster, and those that run on this host."""

import os
import re
import stat
from typing import Dict, List, Tuple

from ..disks.backing_disks import bottom_disks
from ..disks.blocks import Block, whole_disk
from ..errors import TuningUnavailableError
from ..files import list_folder
from ..schema import Osd
from .daemon_names import PREFIXES
from .mon_connection import MonConnection
from .processes import running_daemons

OSDS = PREFIXES["osd"]
# "[v2:10.0.0.1:6802/795,v1:10.0.0.1:6803/795]", "10.0.0.1:6800/795", "v2:[fd00::1]:6800/795"
ADDRESS = re.compile(r"(?:\[([0-9A-Fa-f:]+)\]|(\d+(?:\.\d+){3})):\d+/")
NOT_LOCAL = "Tuning: OSD {} does not run on this host now, so its settings cannot be applied."
NO_DISK = (
    "Tuning: OSD {} has no disk open on this host, such as one that keeps everything in memory, so "
    "no setting of a queue reaches it."
)


def cluster_osds(ceph: MonConnection) -> List[Osd]:
    """Return the OSDs of `ceph osd metadata` with their state of `ceph osd tree`.

    Empty if the client may not read them. Raises: CephError.
    """
    rows, nodes = (
        ceph.query("osd metadata") or [],
        (ceph.query("osd tree") or {}).get("nodes") or [],
    )
    states = {node.get("id"): node for node in nodes if node.get("type") == "osd"}
    return [
        parse_osd(row, states.get(row["id"], {})) for row in rows if isinstance(row.get("id"), int)
    ]


def parse_osd(row: Dict[str, object], node: Dict[str, object]) -> Osd:
    """Return one OSD of `ceph osd metadata` with its node of the tree."""
    return {
        "id": int(str(row["id"])),
        "host": str(row.get("hostname", "")),
        "addresses": addresses_in(row, ("front_addr", "back_addr")),
        "devices": [name for name in str(row.get("devices", "")).split(",") if name],
        "store": str(row.get("osd_objectstore", "")),
        "up": node.get("status") == "up",
        "is_in": bool(node.get("reweight")),
    }


def addresses_in(row: Dict[str, object], fields: Tuple[str, ...]) -> List[str]:
    """Return the addresses in these fields of a daemon's metadata."""
    text = " ".join(str(row.get(key, "")) for key in fields)
    result = dict.fromkeys(six or four for six, four in ADDRESS.findall(text))
    return [address for address in result if address not in ("0.0.0.0", "::")]


def osd_numbers(identity: str) -> List[int]:
    """Return the OSD numbers of an identity."""
    words = identity[len(OSDS) :].split(",")
    return [int(word) for word in words if word.isdigit()]


def require_local(osds: List[int]) -> None:
    """Raise TuningUnavailableError unless each of these OSDs runs on this host."""
    local = running_osds()
    reasons = [NOT_LOCAL.format(number) for number in osds if number not in local]
    if reasons:
        raise TuningUnavailableError(reasons)


def disks_of_osds(osds: List[int]) -> List[Block]:
    """Return the disks below everything these OSDs have open: data, database and journal.

    Raises: TuningUnavailableError.
    """
    require_local(osds)
    local, result = running_osds(), {}
    reasons = []
    for number in osds:
        blocks = [leaf for pid in local[number] for leaf in open_disks(pid)]
        result.update({block.name: block for block in blocks})
        if not blocks:
            reasons.append(NO_DISK.format(number))
    if reasons:
        raise TuningUnavailableError(reasons)
    return list(result.values())


def running_osds() -> Dict[int, List[int]]:
    """Return the processes of each OSD on this host, including containers."""
    return {int(name): pids for name, pids in running_daemons("osd").items() if name.isdigit()}


def open_disks(pid: int) -> List[Block]:
    """Return the disks below every block device that a process has open."""
    folder, result = "/proc/{}/fd".format(pid), {}
    for name in list_folder(folder):
        try:
            state = os.stat(os.path.join(folder, name))
        except OSError:
            continue
        disk = whole_disk(state.st_rdev) if stat.S_ISBLK(state.st_mode) else None
        result.update({leaf.name: leaf for leaf in bottom_disks(disk)} if disk else {})
    return list(result.values())
