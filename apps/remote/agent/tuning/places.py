"""From what a setting is asked for to the disks of this host that it is lent to: a directory stands
for the disks that carry it, OSDs for those they have open.
"""

from typing import List

from ..ceph.conf_settings import CEPH_CONF, section_of
from ..ceph.osds import OSDS, disks_of_osds, numbers, require_here
from ..disks.blocks import Block
from ..disks.carriers import DIRECTORY, reached_below
from ..shapes import Setting
from .irq_names import OF_DISKS
from .queue_settings import QUEUE


def spread(wanted: List[Setting]) -> List[Setting]:
    """Settings by the identities of disks, each disk's once; those of the host that OSDs run on by
    none. Raises ImpossibleError.
    """
    found: List[Setting] = []
    for setting in wanted:
        found += [one for one in lent_to(setting) if one not in found]
    return found


def lent_to(setting: Setting) -> List[Setting]:
    """One setting in every place it is lent to."""
    identity = setting["identity"]
    if identity.startswith(OSDS):
        if setting["kind"] == QUEUE or setting["name"] == OF_DISKS:
            return [moved(setting, disk.identity) for disk in disks_of_osds(numbers(identity))]
        require_here(numbers(identity))
        if setting["kind"] == CEPH_CONF:
            return [moved(setting, section_of(number)) for number in numbers(identity)]
        return [moved(setting, "")]
    if identity.startswith(DIRECTORY):
        blocks: List[Block] = reached_below(setting)
        return [moved(setting, block.identity) for block in blocks]
    return [setting]


def moved(setting: Setting, identity: str) -> Setting:
    """A copy for something else."""
    copy = setting.copy()
    copy["identity"] = identity
    return copy
