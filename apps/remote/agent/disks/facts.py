"""Disks of a host and their users, for people to choose from. Reads only."""

import json
import os
import re
from typing import Any, Dict, List, Optional, Set

from ..files import list_folder
from ..host.locks import LOOKING, locked
from ..shapes import HardwareQueue, Reply
from ..tuning.queue_settings import choices, current
from .blocks import SECTOR, Block, all_blocks, device_number
from .mounts import mounts, swaps, system_disks
from .signatures import helper, own_marks
from .slots import slot
from .smart import smart_of_all

RANGE = re.compile(r"(\d+)(?:-(\d+))?")


class Users:
    """Users of each device, looked up once for all disks."""

    def __init__(self, base: str) -> None:
        self.mounts: Dict[int, List[str]] = {}
        for mount in mounts():
            self.mounts.setdefault(mount.device, []).append(mount.point)
        self.swaps = swaps()
        self.system = system_disks(base)
        self.formats = formats()


def formats() -> Dict[str, Set[str]]:
    """lsblk(8)'s view of the formats on each device, one call for all; empty where it is
    missing.
    """
    text = helper(["lsblk", "-J", "-o", "NAME,FSTYPE,PTTYPE"])
    found: Dict[str, Set[str]] = {}
    try:
        if text:
            collect(json.loads(text).get("blockdevices", []), found)
    except (ValueError, AttributeError):
        pass
    return found


def collect(devices: List[Dict[str, Any]], found: Dict[str, Set[str]]) -> None:
    """The tree of lsblk, flattened; a disk also gets what its partitions carry."""
    for device in devices:
        below: List[Dict[str, Any]] = device.get("children") or []
        collect(below, found)
        own = {str(device[key]) for key in ("fstype", "pttype") if device.get(key)}
        inherited = {kind for child in below for kind in found.get(child["name"], set())}
        found[device["name"]] = own | inherited


def disk_facts(base: str) -> List[Reply]:
    """Every disk; one that cannot be described says why instead of hiding the others. Disks are
    asked for their wear while others may claim them: some take long to answer.
    """
    with locked(base, LOOKING):
        found = described(base)
    said = smart_of_all([Block(str(one["name"])) for one in found])
    return [dict(one, smart=said[number]) for number, one in enumerate(found)]


def described(base: str) -> List[Reply]:
    """As `disk_facts`, while nobody else of the agent claims a disk."""
    users = Users(base)
    found: List[Reply] = []
    for block in all_blocks():
        try:
            found.append(describe(block, users))
        except Exception as error:
            found.append({"name": block.name, "node": block.node, "error": repr(error)})
    return found


def describe(block: Block, users: Users) -> Reply:
    """One disk: identity, slot, geometry, queue, use."""
    found = dict(identification(block), **slot(block))
    return dict(found, **geometry(block), **usage(block, users))


def identification(block: Block) -> Reply:
    """Names, model and serial number."""
    wwn = block.world_wide
    return {
        "identity": block.identity,
        "kind": block.kind,
        "node": block.node,
        "name": block.name,
        "model": block.model or None,
        "serial": block.serial or None,
        "wwn": wwn[len("wwn:") :] or None,
        "firmware": block.text("device/firmware_rev") or block.text("device/rev") or None,
        "removable": block.number("removable") == 1,
    }


def geometry(block: Block) -> Reply:
    """Sizes in bytes, and the queue's settings."""
    return {
        "size": block.size,
        "rotational": block.number("queue/rotational") == 1,
        "zoned": block.text("queue/zoned") or None,
        "logical_block": block.number("queue/logical_block_size"),
        "physical_block": block.number("queue/physical_block_size"),
        "queue": queue(block),
        "hardware_queues": hardware_queues(block),
    }


def queue(block: Block) -> Reply:
    """The settings that can be lent, as they are now."""
    names = ("nr_requests", "read_ahead_kb", "max_sectors_kb", "max_hw_sectors_kb", "rq_affinity")
    found: Dict[str, object] = {name: block.number("queue/" + name) for name in names}
    return dict(found, scheduler=current(block, "scheduler"), schedulers=choices(block))


def hardware_queues(block: Block) -> List[HardwareQueue]:
    """The CPUs that each hardware queue serves (/sys/block/<name>/mq/<queue>/cpu_list)."""
    names = [n for n in list_folder(os.path.join(block.folder, "mq")) if n.isdigit()]
    return [
        {"queue": int(name), "cpus": cpu_list(block.text("mq/{}/cpu_list".format(name)))}
        for name in sorted(names, key=int)
    ]


def cpu_list(text: str) -> List[int]:
    """ "0-2, 5" as numbers."""
    found: List[int] = []
    for first, last in RANGE.findall(text):
        found.extend(range(int(first), int(last or first) + 1))
    return found


def usage(block: Block, users: Users) -> Reply:
    """Its users, and signatures that seem to be on it."""
    devices = block.devices()
    return {
        "read_only": block.number("ro") == 1,
        "mounts": [point for device in devices for point in users.mounts.get(device, [])],
        "holders": block.holders(),
        "swap": any(device in users.swaps for device in devices),
        "system": block.name in users.system,
        "partitions": [partition(block, name, users) for name in block.partitions],
        "signatures": sorted(marks(block) | users.formats.get(block.name, set())),
    }


def partition(block: Block, name: str, users: Users) -> Reply:
    """One partition: size in bytes and mount points."""
    device = device_number(block.text(name + "/dev"))
    size = (block.number(name + "/size") or 0) * SECTOR
    return {"name": name, "size": size, "mounts": users.mounts.get(device, [])}


def marks(block: Block) -> Set[str]:
    """Our own signature checks; nothing when the disk cannot be read."""
    fd: Optional[int] = None
    try:
        fd = os.open(block.node, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        return own_marks(fd, block.size)
    except OSError:
        return set()
    finally:
        if fd is not None:
            os.close(fd)
