"""Expand settings of directories and Ceph daemons to the disks and daemons of this host.

A directory stands for its backing disks, OSDs for the disks they have open.
"""

from typing import List

from ..ceph.daemon_names import names_of
from ..ceph.osds import OSDS, disks_of_osds, osd_numbers, require_local
from ..disks.backing_disks import DIRECTORY, directory_setting_disks
from ..disks.blocks import Block
from ..schema import SettingSpec
from .ceph_conf_settings import CEPH_CONF
from .irq_names import OF_DISKS
from .queue_settings import QUEUE


def expand_settings(wanted: List[SettingSpec]) -> List[SettingSpec]:
    """Return the settings by disk identity, each disk once. Raises: TuningUnavailableError.

    Host settings of OSDs have no identity.
    """
    result: List[SettingSpec] = []
    for setting in wanted:
        result += [one for one in expand_setting(setting) if one not in result]
    return result


def expand_setting(setting: SettingSpec) -> List[SettingSpec]:
    """Return one setting for each disk, section or host it applies to."""
    identity = setting["identity"]
    if setting["kind"] == CEPH_CONF and names_of(identity):
        return [with_identity(setting, name) for name in names_of(identity)]
    if identity.startswith(OSDS):
        if setting["kind"] == QUEUE or setting["name"] == OF_DISKS:
            return [
                with_identity(setting, disk.identity)
                for disk in disks_of_osds(osd_numbers(identity))
            ]
        require_local(osd_numbers(identity))
        return [with_identity(setting, "")]
    if identity.startswith(DIRECTORY):
        blocks: List[Block] = directory_setting_disks(setting)
        return [with_identity(setting, block.identity) for block in blocks]
    return [setting]


def with_identity(setting: SettingSpec, identity: str) -> SettingSpec:
    """Return a copy with another identity."""
    copy = setting.copy()
    copy["identity"] = identity
    return copy
