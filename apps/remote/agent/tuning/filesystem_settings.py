"""Settings of kind `filesystem`: a scratch file system on a disk under test, created for one job.

It is mounted in the job's own mount namespace, so the kernel unmounts it with the last process of
the job. After a crash only the superblock must be cleared, so that the disk counts as empty again.
"""

import contextlib
import os
import shutil
import subprocess
import time
import uuid
from typing import Dict, List, Optional, Tuple

from ..disks.blocks import Block, resolve
from ..disks.filesystem_names import (
    FLAGS,
    MOUNT_OPTIONS,
    MOUNTED,
    TYPE,
    invalid_setting,
    is_effective,
    split_options,
)
from ..disks.filesystems import MKFS_COMMANDS, clear_superblock, mkfs_command, read_superblock
from ..disks.mounting import displayed_options, mount, mounts_of, unmount
from ..errors import RefusalError
from ..host.identity import command_environment
from ..schema import JournalSetting, SettingSpec
from .queue_settings import single_disk
from .setting import SettingKind, journal_line, requested_value

FILESYSTEM = "filesystem"
NONE, NO = "none", "no"
MKFS_TIMEOUT_SECONDS = 600.0  # of mkfs
# For udev to close the disk, or the kernel to unmount after a killed job.
BUSY_TIMEOUT_SECONDS = 10.0
UNSUPPORTED = "Tuning: {} cannot be {} for a file system of {}."
NO_PROGRAM = "Tuning: this host has no {}; install it."
# ext4 must not initialise its inode tables during the test.
REQUIRED_OPTIONS = {"ext4": ["noinit_itable"]}

Values = List[Tuple[JournalSetting, str]]


class FilesystemKind(SettingKind):
    """`identity` is the disk's; journal lines have `uuid` and `mount_point`.

    Other content of the disk was checked by the claim.
    """

    survives_reboot = True
    is_batched = True

    def validate(self, setting: SettingSpec) -> str:
        return ""

    def snapshot(self, wanted: List[SettingSpec]) -> List[JournalSetting]:
        settings: List[JournalSetting] = []
        for identity in sorted({setting["identity"] for setting in wanted}):
            values = {s["name"]: str(s["value"]) for s in wanted if s["identity"] == identity}
            refuse_unsupported(values)
            single_disk(identity)
            name = str(uuid.uuid4())
            lines = [journal_line(FILESYSTEM, identity, key, NONE, values[key]) for key in values]
            lines.append(journal_line(FILESYSTEM, identity, MOUNTED, NO))
            for one in lines:
                one["uuid"] = name
            settings += lines
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        return bool(resolve(setting["identity"]))

    def read(self, setting: JournalSetting) -> Optional[str]:
        result = resolve(setting["identity"])
        if len(result) != 1:
            return None
        if setting["name"] in (MOUNTED, MOUNT_OPTIONS):
            return mount_value(setting, result[0])
        kind, values = own_file_system(setting, result[0])
        return kind if setting["name"] == TYPE else values.get(setting["name"], NONE)

    def write(self, setting: JournalSetting, value: str) -> None:
        self.write_disk([(setting, value)])

    def write_all(self, values: Values) -> List[str]:
        reasons: Dict[str, str] = {}
        for identity in {setting["identity"] for setting, _value in values}:
            try:
                self.write_disk([pair for pair in values if pair[0]["identity"] == identity])
            except OSError as error:
                reasons[identity] = str(error.strerror)
        return [reasons.get(setting["identity"], "") for setting, _value in values]

    def write_disk(self, values: Values) -> None:
        """Create or remove the file system of one disk."""
        if all(value == setting["original"] for setting, value in values):
            remove_file_system(values[0][0])
        else:
            make_file_system([setting for setting, _value in values])

    def is_equal(self, requested: str, actual: Optional[str]) -> bool:
        return actual is not None and split_options(requested) == split_options(actual)

    def owner(self, setting: JournalSetting) -> str:
        result = resolve(setting["identity"])
        return result[0].name if result else str(setting["identity"])

    def rank(self, setting: JournalSetting) -> int:
        """Restore first: no other setting waits for it, and the disk is free again."""
        return -1

    def targets(self, setting: JournalSetting) -> Tuple[str, ...]:
        return FILESYSTEM, setting["identity"]


def refuse_unsupported(values: Dict[str, str]) -> None:
    """Raise RefusalError for unknown settings or a missing mkfs program."""
    name, value = invalid_setting(values)
    if name:
        raise RefusalError([UNSUPPORTED.format(name, value or "chosen", values.get(TYPE, NONE))])
    program = MKFS_COMMANDS[values[TYPE]][0]
    if shutil.which(program, path=command_environment("/")["PATH"]) is None:
        raise RefusalError([NO_PROGRAM.format(program)])


def own_file_system(setting: JournalSetting, block: Block) -> Tuple[str, Dict[str, str]]:
    """Return type and values of the journal's file system; ("none", {}) if it is absent."""
    fd = os.open(block.node, os.O_RDONLY | os.O_CLOEXEC)
    try:
        result = read_superblock(fd)
    finally:
        os.close(fd)
    if result is None or result.uuid != setting["uuid"]:
        return NONE, {}
    return result.kind, result.values


def mount_value(setting: JournalSetting, block: Block) -> str:
    """Return the mount in this namespace; of mount options the effective requested ones."""
    mine = [one for one in mounts_of(block.device) if one.point == setting.get("mount_point")]
    if setting["name"] == MOUNTED:
        options = mine[0].options.split(",") + mine[0].fs_options.split(",") if mine else [NO]
        return ", ".join(dict.fromkeys(options))
    if not mine:
        return NONE
    words = displayed_options(mine[0], block.name)
    requested = split_options(requested_value(setting))
    return ",".join(one for one in requested if is_effective(mine[0].kind, one, words)) or NONE


def make_file_system(settings: List[JournalSetting]) -> None:
    """Create the file system and mount it. Raises: OSError."""
    block, first = single_disk(settings[0]["identity"]), settings[0]
    values = {one["name"]: requested_value(one) for one in settings}
    kind = values[TYPE]
    os.close(open_exclusive(block))  # waits for processes that only inspect the disk
    run_program(mkfs_command(kind, first["uuid"], values, block.node))
    os.makedirs(first["mount_point"])
    flags, fs_options = 0, list(REQUIRED_OPTIONS.get(kind, []))
    for option in split_options(values.get(MOUNT_OPTIONS, "")):
        flags |= FLAGS.get(option, 0)
        fs_options += [] if option in FLAGS else [option]
    mount(block.node, first["mount_point"], kind, flags, ",".join(fs_options))


def run_program(argv: List[str]) -> None:
    """Run a program, which inherits the job's lock.

    Raises: OSError with the first line of stderr.
    """
    try:
        subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=command_environment("/"),
            close_fds=False,
            timeout=MKFS_TIMEOUT_SECONDS,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        error_line = error.stderr.decode("utf-8", "replace").strip().split("\n")[0].strip()
        words = argv[0], error_line[:400].rstrip(".") or "code {}".format(error.returncode)
        raise OSError(0, "{}: {}".format(*words)) from None
    except subprocess.TimeoutExpired:
        raise OSError(
            0, "{} took longer than {:.0f} s".format(argv[0], MKFS_TIMEOUT_SECONDS)
        ) from None


def remove_file_system(setting: JournalSetting) -> None:
    """Unmount the file system in this namespace and clear its superblock, if the UUID matches.

    Raises: OSError.
    """
    block = single_disk(setting["identity"])
    for one in mounts_of(block.device):
        if one.point == setting.get("mount_point"):
            unmount(one.point)
    if own_file_system(setting, block)[0] != NONE:
        fd = open_exclusive(block)
        try:
            result = read_superblock(fd)
            if result and result.uuid == setting["uuid"]:
                clear_superblock(fd, result.kind, block.size)
        finally:
            os.close(fd)
    with contextlib.suppress(OSError):
        os.rmdir(setting.get("mount_point") or "")


def open_exclusive(block: Block) -> int:
    """Open the disk with O_EXCL; retries while it is busy. Raises: OSError."""
    deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            return os.open(block.node, os.O_RDWR | os.O_EXCL | os.O_CLOEXEC)
        except OSError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.1)
