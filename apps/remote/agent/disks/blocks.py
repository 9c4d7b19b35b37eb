"""Block devices in sysfs (Documentation/ABI/stable/sysfs-block)."""

import os
from typing import Dict, List, Optional

from ..files import list_folder, read_int, read_text
from ..host.identity import machine_id

SECTOR_BYTES = 512  # sysfs counts sizes in sectors of 512 bytes, whatever the disk's own are


class Block:
    """A whole disk: `name` is the present kernel name, `identity` is permanent."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = os.path.join("/sys/block", name)

    @property
    def node(self) -> str:
        """Return the device node; the kernel writes a slash in a name as "!"."""
        return "/dev/" + self.name.replace("!", "/")

    def text(self, path: str) -> str:
        """Return a sysfs file of this disk; "" if it is absent."""
        return read_text(os.path.join(self.folder, path)) or ""

    def number(self, path: str) -> Optional[int]:
        """Return a sysfs file of this disk as a number."""
        return read_int(os.path.join(self.folder, path))

    @property
    def size(self) -> int:
        """Return the size in bytes; 0 for an empty drive or a loop device without a file."""
        return (self.number("size") or 0) * SECTOR_BYTES

    @property
    def device(self) -> int:
        """Return the device number, as in st_rdev."""
        return device_number(self.text("dev"))

    @property
    def partitions(self) -> List[str]:
        """Return the kernel names of the partitions."""
        names = list_folder(self.folder)
        return [n for n in names if os.path.exists(os.path.join(self.folder, n, "partition"))]

    def devices(self) -> Dict[int, str]:
        """Return the names of the disk and its partitions by device number."""
        result = {self.device: self.name}
        for name in self.partitions:
            result[device_number(self.text(name + "/dev"))] = name
        return result

    def holders(self) -> List[str]:
        """Return the devices stacked on the disk or a partition (LVM, RAID, encryption)."""
        result = set(list_folder(os.path.join(self.folder, "holders")))
        for name in self.partitions:
            result.update(list_folder(os.path.join(self.folder, name, "holders")))
        return sorted(result)

    def slaves(self) -> List[str]:
        """Return the devices below this one: names of disks or partitions."""
        return list_folder(os.path.join(self.folder, "slaves"))

    @property
    def kind(self) -> str:
        """Return nvme, scsi, virtio, loop, dm, md, mmc, zram, xen or other."""
        for start, kind in KINDS.items():
            if self.name.startswith(start):
                return kind
        return "other"

    def udev(self) -> Dict[str, str]:
        """Return udev's properties (/run/udev/data, lines "E:NAME=value")."""
        lines = (read_text("/run/udev/data/b" + self.text("dev")) or "").splitlines()
        pairs = [line[2:].partition("=") for line in lines if line.startswith("E:")]
        return {name: value for name, _, value in pairs}

    @property
    def identity(self) -> str:
        """Return the permanent identity of this disk (docs/development/agent.md)."""
        if self.kind == "loop":
            backing = self.text("loop/backing_file")
            return ":".join(["loop", machine_id(), backing]) if backing else self.anonymous_identity
        return self.wwid_identity or self.serial_identity or self.anonymous_identity

    @property
    def anonymous_identity(self) -> str:
        """Return the identity of a disk without WWN and serial."""
        return ":".join(["none", machine_id(), self.name])

    @property
    def wwid_identity(self) -> str:
        """Return the identity by WWID of sysfs, else of udev; "" if there is none."""
        wwid = self.text("wwid") or self.text("device/wwid") or self.udev().get("ID_WWN", "")
        return "wwn:" + "_".join(wwid.split()) if wwid else ""

    @property
    def serial_identity(self) -> str:
        """Return the identity by model and serial; of RAID and device mapper by UUID."""
        serial = self.serial
        model = "_".join(self.model.split()) or self.kind
        return "serial:{}:{}".format(model, serial) if serial else ""

    @property
    def serial(self) -> str:
        """Return the serial number."""
        for path in ("serial", "device/serial", "device/vpd_pg80", "dm/uuid", "md/uuid"):
            text = self.text(path).lstrip("\0").strip("\0 ")
            text = "".join(c for c in text if c.isprintable()).strip()
            if text:
                return "_".join(text.split())
        udev = self.udev()
        return udev.get("ID_SERIAL_SHORT") or udev.get("ID_SERIAL") or ""

    @property
    def model(self) -> str:
        """Return vendor and product name."""
        vendor, model = self.text("device/vendor"), self.text("device/model")
        if vendor.startswith("0x") or vendor in ("ATA", "NVMe"):
            vendor = ""
        return " ".join((vendor + " " + model).split()) or self.udev().get("ID_MODEL", "")


KINDS = {
    "nvme": "nvme",
    "sd": "scsi",
    "vd": "virtio",
    "loop": "loop",
    "dm-": "dm",
    "md": "md",
    "mmcblk": "mmc",
    "zram": "zram",
    "xvd": "xen",
}


def device_number(text: str) -> int:
    """Return "8:16" as st_rdev; 0 for anything else."""
    major, _, minor = text.partition(":")
    return os.makedev(int(major), int(minor)) if major.isdigit() and minor.isdigit() else 0


def all_blocks() -> List[Block]:
    """Return every whole disk with a size; unused loop devices have none."""
    blocks = [Block(name) for name in list_folder("/sys/block")]
    return [b for b in blocks if b.size or not b.name.startswith(("loop", "zram", "ram", "nbd"))]


def resolve(identity: str) -> List[Block]:
    """Return the disks with this identity: one, none, or several paths of a multipath disk."""
    return [block for block in all_blocks() if block.identity == identity]


def whole_disk(device: int) -> Optional[Block]:
    """Return the disk of a device number, its own or a partition's."""
    path = "/sys/dev/block/{}:{}".format(os.major(device), os.minor(device))
    folder = os.path.realpath(path)
    if not os.path.isdir(folder):
        return None
    if os.path.exists(os.path.join(folder, "partition")):
        folder = os.path.dirname(folder)
    return Block(os.path.basename(folder))


def device_stack(block: Block) -> List[Block]:
    """Return a disk and all devices below it."""
    result = [block]
    for name in block.slaves():
        number = device_number(read_text("/sys/class/block/{}/dev".format(name)) or "")
        lower = whole_disk(number)
        result.extend(device_stack(lower) if lower else [])
    return result
