"""Facts of the disks of a host and their users. Reads only."""

import json
import os
from typing import Any, Dict, List, Optional, Set

from ..disks.arrays import arrays_by_name, paths_of
from ..disks.blocks import SECTOR_BYTES, Block, all_blocks, device_number
from ..disks.hardware_queues import hardware_queues
from ..disks.links import bus_of, link_of
from ..disks.mounts import mounts, swaps, system_disks
from ..disks.signatures import known_signatures, run_helper
from ..disks.slots import slot
from ..disks.smart import smart_of_all
from ..host.locks import DISK_INSPECTION, file_lock
from ..schema import Response
from ..tuning.queue_settings import current, schedulers
from .fabrics import fabrics


class DeviceUsers:
    """Users of each device, read once for all disks."""

    def __init__(self, base: str) -> None:
        self.mounts: Dict[int, List[str]] = {}
        for mount in mounts():
            self.mounts.setdefault(mount.device, []).append(mount.point)
        self.swaps = swaps()
        self.system = system_disks(base)
        self.formats = formats()


def formats() -> Dict[str, Set[str]]:
    """Return the formats of each device by lsblk(8), one call for all; empty without lsblk."""
    text = run_helper(["lsblk", "-J", "-o", "NAME,FSTYPE,PTTYPE"])
    result: Dict[str, Set[str]] = {}
    try:
        if text:
            collect_formats(json.loads(text).get("blockdevices", []), result)
    except (ValueError, AttributeError):
        pass
    return result


def collect_formats(devices: List[Dict[str, Any]], result: Dict[str, Set[str]]) -> None:
    """Flatten the tree of lsblk; a disk includes the formats of its partitions."""
    for device in devices:
        below: List[Dict[str, Any]] = device.get("children") or []
        collect_formats(below, result)
        own_formats = {str(device[key]) for key in ("fstype", "pttype") if device.get(key)}
        inherited = {kind for child in below for kind in result.get(child["name"], set())}
        result[device["name"]] = own_formats | inherited


def disk_facts(base: str) -> List[Response]:
    """Return the facts of every disk; an error is reported in the disk's entry.

    SMART data and arrays are read without the inspection lock, since some respond slowly.
    """
    with file_lock(base, DISK_INSPECTION):
        result = describe_disks(base)
    blocks = [Block(str(one["name"])) for one in result]
    smart_data, arrays = smart_of_all(blocks), arrays_by_name(blocks)
    links = fabrics([block.name for block in blocks])
    return [
        dict(
            one,
            smart=smart_data[number],
            array=arrays.get(str(one["name"])),
            fabric=links.get(str(one["name"])),
        )
        for number, one in enumerate(result)
    ]


def describe_disks(base: str) -> List[Response]:
    """Return the facts of all disks while the inspection lock is held."""
    users = DeviceUsers(base)
    result: List[Response] = []
    for block in all_blocks():
        try:
            result.append(describe_disk(block, users))
        except Exception as error:
            result.append({"name": block.name, "node": block.node, "error": repr(error)})
    return result


def describe_disk(block: Block, users: DeviceUsers) -> Response:
    """Return the facts of one disk: identity, slot, geometry, queue, use."""
    result = dict(identification(block), **slot(block))
    return dict(result, **geometry(block), **usage(block, users))


def identification(block: Block) -> Response:
    """Return names, model and serial number."""
    wwn = block.wwid_identity
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
        "bus": bus_of(block),
        "link": link_of(block),
    }


def geometry(block: Block) -> Response:
    """Return sizes in bytes and the queue settings."""
    return {
        "size": block.size,
        "rotational": block.number("queue/rotational") == 1,
        "zoned": block.text("queue/zoned") or None,
        "logical_block": block.number("queue/logical_block_size"),
        "physical_block": block.number("queue/physical_block_size"),
        "queue": queue(block),
        "hardware_queues": hardware_queues(block),
    }


def queue(block: Block) -> Response:
    """Return the present values of the main queue settings."""
    names = ("nr_requests", "read_ahead_kb", "max_sectors_kb", "max_hw_sectors_kb", "rq_affinity")
    result: Dict[str, object] = {name: block.number("queue/" + name) for name in names}
    return dict(result, scheduler=current(block, "scheduler"), schedulers=schedulers(block))


def usage(block: Block, users: DeviceUsers) -> Response:
    """Return the users of a disk and its signatures."""
    devices = block.devices()
    return {
        "read_only": block.number("ro") == 1,
        "mounts": [point for device in devices for point in users.mounts.get(device, [])],
        "holders": block.holders(),
        "paths": paths_of(block),
        "swap": any(device in users.swaps for device in devices),
        "system": block.name in users.system,
        "partitions": [partition(block, name, users) for name in block.partitions],
        "signatures": sorted(disk_signatures(block) | users.formats.get(block.name, set())),
    }


def partition(block: Block, name: str, users: DeviceUsers) -> Response:
    """Return one partition: size in bytes and mount points."""
    device = device_number(block.text(name + "/dev"))
    size = (block.number(name + "/size") or 0) * SECTOR_BYTES
    return {"name": name, "size": size, "mounts": users.mounts.get(device, [])}


def disk_signatures(block: Block) -> Set[str]:
    """Return the signatures by benchlab's own checks; empty if the disk cannot be read."""
    fd: Optional[int] = None
    try:
        fd = os.open(block.node, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        return known_signatures(fd, block.size)
    except OSError:
        return set()
    finally:
        if fd is not None:
            os.close(fd)
