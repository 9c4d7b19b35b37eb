"""Disks under test with a scratch file system: the test works in files on them."""

import os
from typing import Dict, List

from ..disks.mounting import unshare_mounts
from ..errors import RefusalError
from ..schema import JournalSetting, Target
from .claimed import ClaimedTarget
from .free_space import shortage

NO_NAMESPACE = "Tuning: a file system cannot be mounted for this job alone ({}); nothing was run."
SPACE = "Space: the file system made on {} has {}; request less."


def reopen_read_only(
    claimed: List[ClaimedTarget], settings: List[JournalSetting]
) -> List[ClaimedTarget]:
    """Reopen the disks of these settings read-only, so that mkfs and mount can claim them.

    This process gets a private mount namespace. Raises: RefusalError.
    """
    try:
        unshare_mounts()
    except OSError as error:
        raise RefusalError([NO_NAMESPACE.format(error.strerror)]) from None
    mine = {one["identity"] for one in settings}
    return [
        without_claim(one) if one.claim and one.block and disk_identity(one) in mine else one
        for one in claimed
    ]


def disk_identity(one: ClaimedTarget) -> str:
    """Return the identity of a claimed disk."""
    assert one.block is not None, "only disks are asked for"
    return one.block.identity


def without_claim(one: ClaimedTarget) -> ClaimedTarget:
    """Return the same device opened without O_EXCL; verifies the device number."""
    assert one.claim is not None, "directories are not claimed"
    fd = os.open(one.path, os.O_RDONLY | os.O_CLOEXEC)
    if os.fstat(fd).st_rdev != os.fstat(one.fd).st_rdev:
        os.close(fd)
        raise RefusalError(["Identity: {} is another device now.".format(one.path)])
    os.close(one.fd)
    return ClaimedTarget(one.path, fd, one.block, one.claim._replace(fd=fd))


def use_mount_points(
    claimed: List[ClaimedTarget], settings: List[JournalSetting], targets: List[Target]
) -> List[ClaimedTarget]:
    """Replace device paths by mount points. Raises: RefusalError on insufficient space."""
    mount_points: Dict[str, str] = {one["identity"]: one["mount_point"] for one in settings}
    result = []
    for number, one in enumerate(claimed):
        mount_point = mount_points.get(disk_identity(one)) if one.claim and one.block else None
        if mount_point is None:
            result.append(one)
            continue
        target = targets[number]
        short = shortage(mount_point, target["needs"], min_reserved=0)  # only this job writes there
        if short:
            raise RefusalError([SPACE.format(one.path, short)])
        result.append(one._replace(path=mount_point))
    return result
