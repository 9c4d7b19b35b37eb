"""A scratch file system on a disk under test, as a loan: it is made and mounted for one job, and
unmounted and taken away after it.

Mounted is it in the job's own mount namespace: whatever becomes of the job, the kernel unmounts it
with the last of its processes. So what has to be given back after a crash is the superblock alone,
by which nothing would take the disk for an empty one.
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
    fault,
    in_force,
    options_of,
)
from ..disks.filesystems import PROGRAM, clear, found_on, making
from ..disks.mounting import mount, mounts_of, shown, unmount
from ..errors import RefusalError
from ..host.identity import command_environment
from ..shapes import JournalSetting, Setting
from .queue_settings import only
from .setting import SettingKind, asked_value, line

FILESYSTEM = "filesystem"
NONE, NO = "none", "no"
PATIENCE = 600.0  # seconds that mkfs may take
# Seconds for a look at the disk by udev, or for the kernel to unmount behind a job that was killed.
SETTLED = 10.0
MISFIT = "Tuning: {} cannot be {} for a file system of {}."
NO_PROGRAM = "Tuning: this host has no {}; install it."
# Where ext4 leaves its inode tables to be written later, nothing writes them during the test.
ALWAYS = {"ext4": ["noinit_itable"]}

Values = List[Tuple[JournalSetting, str]]


class FilesystemKind(SettingKind):
    """`identity` is the disk's. A line has the `uuid` of the file system, and where it is mounted
    (`at`). What else is on the disk is nobody's concern here: the claim looked at it.
    """

    lasting = True
    together = True

    def objection(self, setting: Setting) -> str:
        return ""

    def snapshot(self, wanted: List[Setting]) -> List[JournalSetting]:
        settings: List[JournalSetting] = []
        for identity in sorted({setting["identity"] for setting in wanted}):
            values = {s["name"]: str(s["value"]) for s in wanted if s["identity"] == identity}
            refuse_misfits(values)
            only(identity)
            name = str(uuid.uuid4())
            lines = [line(FILESYSTEM, identity, key, NONE, values[key]) for key in values]
            lines.append(line(FILESYSTEM, identity, MOUNTED, NO))
            for one in lines:
                one["uuid"] = name
            settings += lines
        return settings

    def is_there(self, setting: JournalSetting) -> bool:
        return bool(resolve(setting["identity"]))

    def read(self, setting: JournalSetting) -> Optional[str]:
        found = resolve(setting["identity"])
        if len(found) != 1:
            return None
        if setting["name"] in (MOUNTED, MOUNT_OPTIONS):
            return mounted(setting, found[0])
        kind, values = on_disk(setting, found[0])
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
        """All that is to be written about one disk: its file system is made, or taken away."""
        if all(value == setting["original"] for setting, value in values):
            remove(values[0][0])
        else:
            make([setting for setting, _value in values])

    def same(self, asked: str, found: Optional[str]) -> bool:
        return found is not None and options_of(asked) == options_of(found)

    def whose(self, setting: JournalSetting) -> str:
        found = resolve(setting["identity"])
        return found[0].name if found else str(setting["identity"])

    def rank(self, setting: JournalSetting) -> int:
        """First of all: nothing else needs to wait for it, and the disk is free again."""
        return -1

    def lent(self, setting: JournalSetting) -> Tuple[str, ...]:
        return FILESYSTEM, setting["identity"]


def refuse_misfits(values: Dict[str, str]) -> None:
    """Raises RefusalError for what is not on the list, or cannot be made on this host."""
    name, value = fault(values)
    if name:
        raise RefusalError([MISFIT.format(name, value or "chosen", values.get(TYPE, NONE))])
    program = PROGRAM[values[TYPE]][0]
    if shutil.which(program, path=command_environment("/")["PATH"]) is None:
        raise RefusalError([NO_PROGRAM.format(program)])


def on_disk(setting: JournalSetting, block: Block) -> Tuple[str, Dict[str, str]]:
    """Type and values of the loan's own file system; ("none", nothing) where there is another, or
    none.
    """
    fd = os.open(block.node, os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = found_on(fd)
    finally:
        os.close(fd)
    if found is None or found.uuid != setting["uuid"]:
        return NONE, {}
    return found.kind, found.values


def mounted(setting: JournalSetting, block: Block) -> str:
    """The mount in this process's namespace as the kernel tells it; of mount options those that
    were asked for and are in force.
    """
    mine = [one for one in mounts_of(block.device) if one.point == setting.get("at")]
    if setting["name"] == MOUNTED:
        told = mine[0].options.split(",") + mine[0].own.split(",") if mine else [NO]
        return ", ".join(dict.fromkeys(told))
    if not mine:
        return NONE
    words = shown(mine[0], block.name)
    asked = options_of(asked_value(setting))
    return ",".join(one for one in asked if in_force(mine[0].kind, one, words)) or NONE


def make(settings: List[JournalSetting]) -> None:
    """Make the file system and mount it. Raises OSError with the reason."""
    block, first = only(settings[0]["identity"]), settings[0]
    values = {one["name"]: asked_value(one) for one in settings}
    kind = values[TYPE]
    os.close(exclusively(block))  # whoever only looks at the disk has a moment to finish
    run(making(kind, first["uuid"], values, block.node))
    os.makedirs(first["at"])
    flags, own = 0, list(ALWAYS.get(kind, []))
    for option in options_of(values.get(MOUNT_OPTIONS, "")):
        flags |= FLAGS.get(option, 0)
        own += [] if option in FLAGS else [option]
    mount(block.node, first["at"], kind, flags, ",".join(own))


def run(argv: List[str]) -> None:
    """Run a program that says why it failed; it has the job's lock. Raises OSError."""
    try:
        subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=command_environment("/"),
            close_fds=False,
            timeout=PATIENCE,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().split("\n")[0].strip()
        words = argv[0], said[:400].rstrip(".") or "code {}".format(error.returncode)
        raise OSError(0, "{}: {}".format(*words)) from None
    except subprocess.TimeoutExpired:
        raise OSError(0, "{} took longer than {:.0f} s".format(argv[0], PATIENCE)) from None


def remove(setting: JournalSetting) -> None:
    """Unmount what this process sees of it, and take its superblock away, if it is this loan's.
    Raises OSError.
    """
    block = only(setting["identity"])
    for one in mounts_of(block.device):
        if one.point == setting.get("at"):
            unmount(one.point)
    if on_disk(setting, block)[0] != NONE:
        fd = exclusively(block)
        try:
            found = found_on(fd)
            if found and found.uuid == setting["uuid"]:
                clear(fd, found.kind, block.size)
        finally:
            os.close(fd)
    with contextlib.suppress(OSError):
        os.rmdir(setting.get("at") or "")


def exclusively(block: Block) -> int:
    """The disk, with nobody else on it. Raises OSError."""
    until = time.monotonic() + SETTLED
    while True:
        try:
            return os.open(block.node, os.O_RDWR | os.O_EXCL | os.O_CLOEXEC)
        except OSError:
            if time.monotonic() > until:
                raise
        time.sleep(0.1)
