"""Disks under test that carry a scratch file system: the test works in files on them."""

import os
from typing import Dict, List

from ..disks.mounting import apart
from ..errors import RefusalError
from ..shapes import JournalSetting, Target
from .held import Held
from .room import lacking

NO_NAMESPACE = "Tuning: a file system cannot be mounted for this job alone ({}); nothing was run."
SPACE = "Space: the file system made on {} has {}; ask for less."


def set_free(held: List[Held], settings: List[JournalSetting]) -> List[Held]:
    """The disks of these settings held for reading only, so that mkfs and mount can claim them; the
    others as they were. This process has mounts of its own from here on. Raises RefusalError.
    """
    try:
        apart()
    except OSError as error:
        raise RefusalError([NO_NAMESPACE.format(error.strerror)]) from None
    mine = {one["identity"] for one in settings}
    return [
        loosened(one) if one.claim and one.block and identity(one) in mine else one for one in held
    ]


def identity(one: Held) -> str:
    """The identity of a held disk."""
    assert one.block is not None, "only disks are asked for"
    return one.block.identity


def loosened(one: Held) -> Held:
    """The same disk without the kernel's claim, and still the same whatever its name leads to."""
    assert one.claim is not None, "directories are not claimed"
    fd = os.open(one.place, os.O_RDONLY | os.O_CLOEXEC)
    if os.fstat(fd).st_rdev != os.fstat(one.fd).st_rdev:
        os.close(fd)
        raise RefusalError(["Identity: {} is another device now.".format(one.place)])
    os.close(one.fd)
    return Held(one.place, fd, one.block, one.claim._replace(fd=fd))


def in_files(held: List[Held], settings: List[JournalSetting], targets: List[Target]) -> List[Held]:
    """The disks as places where their file systems are mounted. Raises RefusalError where one has
    too little room.
    """
    places: Dict[str, str] = {one["identity"]: one["at"] for one in settings}
    found = []
    for number, one in enumerate(held):
        place = places.get(identity(one)) if one.claim and one.block else None
        if place is None:
            found.append(one)
            continue
        target = targets[number]
        short = lacking(place, target["needs"], least=0)  # nobody else writes there
        if short:
            raise RefusalError([SPACE.format(one.place, short)])
        found.append(one._replace(place=place))
    return found
