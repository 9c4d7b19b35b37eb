"""Registry of setting kinds."""

from typing import Dict, Optional

from ..schema import JournalSetting, ReportedSetting
from .ceph_conf_settings import CEPH_CONF, CephConfKind
from .ceph_settings import CEPH, CephKind
from .filesystem_settings import FILESYSTEM, FilesystemKind
from .governor_settings import GOVERNOR, GovernorKind
from .irq_settings import IRQ, IrqKind
from .md_settings import MD_MEMBER, MdKind
from .osd_settings import CEPH_OSD, OsdKind
from .queue_settings import QUEUE, QueueKind
from .setting import SettingKind
from .sysctl_settings import SYSCTL, SysctlKind

KINDS: Dict[str, SettingKind] = {
    QUEUE: QueueKind(),
    SYSCTL: SysctlKind(),
    GOVERNOR: GovernorKind(),
    IRQ: IrqKind(),
    CEPH: CephKind(),
    CEPH_CONF: CephConfKind(),
    CEPH_OSD: OsdKind(),
    MD_MEMBER: MdKind(),
    FILESYSTEM: FilesystemKind(),
}


def kind_of(setting: JournalSetting) -> SettingKind:
    """Return the kind of a journal line."""
    return KINDS[kind_name(setting)]


def clear_caches() -> None:
    """Clear the cached values of all kinds."""
    for kind in KINDS.values():
        kind.clear_cache()


def kind_name(setting: JournalSetting) -> str:
    """Return the name of a line's kind; the default is `queue`."""
    return str(setting.get("kind", QUEUE))


def report_setting(setting: JournalSetting, **more: Optional[str]) -> ReportedSetting:
    """Return a journal line as reported in exit.json, with more fields."""
    named = {"kind": kind_name(setting), "identity": setting["identity"], "name": setting["name"]}
    result: ReportedSetting = dict(named, **more)  # type: ignore[assignment]  # keys of ReportedSetting
    return result
