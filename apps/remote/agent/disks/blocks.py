"""Block devices as the kernel's sysfs shows them (Documentation/ABI/stable/sysfs-block)."""

import os
from typing import Dict, List, Optional

from ..files import list_folder, read_int, read_text
from ..host.identity import machine_id

SECTOR = 512  # sysfs counts sizes in sectors of 512 bytes, whatever the disk's own are


class Block:
    """A whole disk: `name` is the kernel's of today, `identity` is what stays."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = os.path.join("/sys/block", name)

    @property
    def node(self) -> str:
        """The device node; the kernel writes a slash in a name as "!"."""
        return "/dev/" + self.name.replace("!", "/")

    def text(self, path: str) -> str:
        """A sysfs file of this disk, empty when there is none."""
        return read_text(os.path.join(self.folder, path)) or ""

    def number(self, path: str) -> Optional[int]:
        """A sysfs file of this disk that holds a number."""
        return read_int(os.path.join(self.folder, path))

    @property
    def size(self) -> int:
        """Bytes; 0 for an empty drive or a loop device without a file."""
        return (self.number("size") or 0) * SECTOR

    @property
    def device(self) -> int:
        """The device number, as in st_rdev."""
        return device_number(self.text("dev"))

    @property
    def partitions(self) -> List[str]:
        """The kernel's names of the partitions."""
        here = list_folder(self.folder)
        return [n for n in here if os.path.exists(os.path.join(self.folder, n, "partition"))]

    def devices(self) -> Dict[int, str]:
        """Device numbers of the disk and its partitions, with their names."""
        found = {self.device: self.name}
        for name in self.partitions:
            found[device_number(self.text(name + "/dev"))] = name
        return found

    def holders(self) -> List[str]:
        """Devices stacked on the disk or one of its partitions (LVM, RAID, encryption,
        multipath).
        """
        found = set(list_folder(os.path.join(self.folder, "holders")))
        for name in self.partitions:
            found.update(list_folder(os.path.join(self.folder, name, "holders")))
        return sorted(found)

    def slaves(self) -> List[str]:
        """The devices this one is stacked on: names of disks or partitions."""
        return list_folder(os.path.join(self.folder, "slaves"))

    @property
    def kind(self) -> str:
        """nvme | scsi | virtio | loop | dm | md | mmc | zram | other."""
        for start, kind in KINDS.items():
            if self.name.startswith(start):
                return kind
        return "other"

    def udev(self) -> Dict[str, str]:
        """udev's properties (its database in /run/udev/data, lines "E:NAME=value")."""
        lines = (read_text("/run/udev/data/b" + self.text("dev")) or "").splitlines()
        pairs = [line[2:].partition("=") for line in lines if line.startswith("E:")]
        return {name: value for name, _, value in pairs}

    @property
    def identity(self) -> str:
        """The name of this very disk on any day: see docs/development/agent.md."""
        if self.kind == "loop":
            backing = self.text("loop/backing_file")
            return ":".join(["loop", machine_id(), backing]) if backing else self.anonymous
        return self.world_wide or self.by_serial or self.anonymous

    @property
    def anonymous(self) -> str:
        """For a disk that says nothing about itself."""
        return ":".join(["none", machine_id(), self.name])

    @property
    def world_wide(self) -> str:
        """NVMe's wwid is beside the queue, SCSI's below the device; udev knows some that sysfs does
        not.
        """
        wwid = self.text("wwid") or self.text("device/wwid") or self.udev().get("ID_WWN", "")
        return "wwn:" + "_".join(wwid.split()) if wwid else ""

    @property
    def by_serial(self) -> str:
        """Model and serial; of a RAID or device-mapper device its UUID."""
        serial = self.serial
        model = "_".join(self.model.split()) or self.kind
        return "serial:{}:{}".format(model, serial) if serial else ""

    @property
    def serial(self) -> str:
        """The maker's serial number."""
        for path in ("serial", "device/serial", "device/vpd_pg80", "dm/uuid", "md/uuid"):
            text = self.text(path).lstrip("\0").strip("\0 ")
            text = "".join(c for c in text if c.isprintable()).strip()
            if text:
                return "_".join(text.split())
        udev = self.udev()
        return udev.get("ID_SERIAL_SHORT") or udev.get("ID_SERIAL") or ""

    @property
    def model(self) -> str:
        """The maker's name for the product."""
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
    """ "8:16" as st_rdev; 0 for anything else."""
    major, _, minor = text.partition(":")
    return os.makedev(int(major), int(minor)) if major.isdigit() and minor.isdigit() else 0


def all_blocks() -> List[Block]:
    """Every whole disk of the host that has a size; idle loop devices have none."""
    blocks = [Block(name) for name in list_folder("/sys/block")]
    return [b for b in blocks if b.size or not b.name.startswith(("loop", "zram", "ram", "nbd"))]


def resolve(identity: str) -> List[Block]:
    """The disks that answer to an identity now: one, none, or several (paths of one multipath
    disk).
    """
    return [block for block in all_blocks() if block.identity == identity]


def whole_disk(device: int) -> Optional[Block]:
    """The disk that a device number belongs to, be it the disk's own or a partition's."""
    path = "/sys/dev/block/{}:{}".format(os.major(device), os.minor(device))
    folder = os.path.realpath(path)
    if not os.path.isdir(folder):
        return None
    if os.path.exists(os.path.join(folder, "partition")):
        folder = os.path.dirname(folder)
    return Block(os.path.basename(folder))


def below(block: Block) -> List[Block]:
    """A disk and everything it is stacked on."""
    found = [block]
    for name in block.slaves():
        number = device_number(read_text("/sys/class/block/{}/dev".format(name)) or "")
        lower = whole_disk(number)
        found.extend(below(lower) if lower else [])
    return found
