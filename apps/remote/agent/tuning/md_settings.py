"""Settings of kind `md_member`: whether a disk is a member of its array.

As those of an OSD (tuning/osd_settings.py): pending from the start of the job, so that every way
of ending it adds the member again. Arrays are known by their UUID, since names change.
"""

import errno
import subprocess
import time
from typing import List, Optional, Tuple

from ..disks.backing_disks import file_system_devices
from ..disks.blocks import Block, device_stack, resolve
from ..errors import RefusalError
from ..host.identity import command_environment
from ..md.mdstat import FAULTY, Array, Recovered, arrays, member_reasons, sample_of
from ..schema import ClusterSample, Disturbance, JournalSetting, SettingSpec, Target
from .setting import SettingKind, journal_line

MD_MEMBER = "md_member"
MEMBER, REMOVED = "member", "removed"
SECONDS, RETRY_SECONDS, POLL_SECONDS = 60.0, 15.0, 0.5
FAILED = "`{}` ended with {}: {}"
MISSING = "mdadm is not installed on this host"
NOT_THERE = "the array {} is not active on this host"
NO_MEMBER = "Disturbance: {} is no whole disk of an md array of this host."
ELSEWHERE = "Disturbance: {} is not below the target of the test."


class MdKind(SettingKind):
    """`identity` is the disk, `restart` has the UUID of the array in `fsid`."""

    survives_reboot = True
    is_deferred = True

    def __init__(self) -> None:
        self.is_readded = False

    def validate(self, setting: SettingSpec) -> str:
        return "only a disturbance changes the members of an array."

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        return []

    def is_there(self, setting: JournalSetting) -> bool:
        return len(resolve(setting["identity"])) == 1

    def read(self, setting: JournalSetting) -> Optional[str]:
        flags = array_with(uuid_of(setting)).members.get(node_of(setting).name)
        return REMOVED if flags is None or FAULTY in flags else MEMBER

    def write(self, setting: JournalSetting, value: str) -> None:
        """Fail and remove the member, or add it again. Raises: OSError."""
        array, block = array_with(uuid_of(setting)), node_of(setting)
        flags = array.members.get(block.name)
        target = ["/dev/" + array.name]
        if value == REMOVED and flags is not None and FAULTY not in flags:
            # Another member may have failed since the checks.
            reasons = member_reasons(array, block.name)
            if reasons:
                raise OSError(errno.EBUSY, reasons[0])
            mdadm(target + ["--fail", block.node])
            flags = FAULTY
        if flags is not None and FAULTY in flags:
            mdadm(target + ["--remove", block.node], RETRY_SECONDS)
            flags = None
        if value == MEMBER and flags is None:
            self.is_readded = "re-added" in mdadm(target + ["--add", block.node])

    def owner(self, setting: JournalSetting) -> str:
        return setting["identity"]

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return MD_MEMBER, uuid_of(setting)


def mdadm(arguments: List[str], retry: float = 0.0) -> str:
    """Run mdadm and return its output; retry while the kernel is busy. Raises: OSError."""
    argv, deadline = ["mdadm"] + arguments, time.monotonic() + retry
    while True:
        try:
            done = subprocess.run(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=command_environment("/"),
                timeout=SECONDS,
            )
        except FileNotFoundError:
            raise OSError(errno.ENOENT, MISSING) from None
        except subprocess.TimeoutExpired:
            raise OSError(errno.ETIMEDOUT, FAILED.format(" ".join(argv), "?", "")) from None
        text = done.stdout.decode("utf-8", "replace").strip()
        if not done.returncode:
            return text
        if time.monotonic() > deadline:
            words = " ".join(argv), done.returncode, text[-300:]
            raise OSError(errno.EIO, FAILED.format(*words))
        time.sleep(POLL_SECONDS)


def array_uuid(name: str) -> str:
    """Return the UUID of an array. Raises: OSError."""
    lines = mdadm(["--detail", "--export", "/dev/" + name]).splitlines()
    return "".join(line[len("MD_UUID=") :] for line in lines if line.startswith("MD_UUID="))


def array_with(uuid: str) -> Array:
    """Return the array with this UUID. Raises: OSError."""
    for array in arrays().values():
        if array.level and array_uuid(array.name) == uuid:
            return array
    raise OSError(errno.ENODEV, NOT_THERE.format(uuid))


def uuid_of(setting: JournalSetting) -> str:
    """Return the UUID of the line's array."""
    return setting["restart"]["fsid"]


def node_of(setting: JournalSetting) -> Block:
    """Return the disk. Raises: OSError unless there is exactly one."""
    found = resolve(setting["identity"])
    if len(found) != 1:
        raise OSError(errno.ENODEV, NO_MEMBER.format(setting["identity"]))
    return found[0]


def member_line(wanted: Disturbance, targets: List[Target]) -> JournalSetting:
    """Return the journal line of a member that will fail. Raises: RefusalError, OSError."""
    identity = wanted["member"]
    names = [block.name for block in resolve(identity)]
    array = next((one for one in arrays().values() if set(names) & set(one.members)), None)
    if len(names) != 1 or array is None:
        raise RefusalError([NO_MEMBER.format(identity)])
    if array.name not in [one.name for target in targets for one in devices_of(target)]:
        raise RefusalError([ELSEWHERE.format(array.name)])
    line = journal_line(MD_MEMBER, identity, MEMBER, MEMBER, REMOVED)
    line["step"] = "pending"
    line["restart"] = {"fsid": array_uuid(array.name), "file": array.name, "commands": []}
    return line


def devices_of(target: Target) -> List[Block]:
    """Return all devices of a target, one above another."""
    if target["kind"] == "disk":
        tops = resolve(target["identity"])
    else:
        tops = file_system_devices(target["path"])
    return [one for top in tops for one in device_stack(top)]


class ArraySource:
    """Looks at the array of a journal line each second."""

    def __init__(self, line: JournalSetting) -> None:
        self.name = line["restart"]["file"]
        self.recovered = Recovered()

    def look(self) -> Tuple[ClusterSample, int]:
        """Return a sample, and the bytes recovered so far."""
        array = arrays().get(self.name)
        return sample_of(array), self.recovered.update(array)

    def reasons(self, wanted: Disturbance) -> List[str]:
        """Return why the member may not fail now."""
        array = arrays().get(self.name)
        names = [block.name for block in resolve(wanted["member"])]
        if array is None or len(names) != 1:
            return [NO_MEMBER.format(wanted["member"])]
        return member_reasons(array, names[0])
