"""The kinds of settings that can be lent."""

from typing import Dict, Optional

from ..ceph.conf_settings import CEPH_CONF, CephConfKind
from ..ceph.settings import CEPH, CephKind
from ..shapes import JournalSetting, ToldSetting
from .filesystem_settings import FILESYSTEM, FilesystemKind
from .governor_settings import GOVERNOR, GovernorKind
from .irq_settings import IRQ, IrqKind
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
    FILESYSTEM: FilesystemKind(),
}


def kind_of(setting: JournalSetting) -> SettingKind:
    """The kind of a journal's line."""
    return KINDS[name_of(setting)]


def forget_all() -> None:
    """Whatever any kind has read before is read anew."""
    for kind in KINDS.values():
        kind.forget()


def name_of(setting: JournalSetting) -> str:
    """Journals once had settings of queues alone, and did not say so."""
    return str(setting.get("kind", QUEUE))


def told(setting: JournalSetting, **more: Optional[str]) -> ToldSetting:
    """A line as exit.json names it, with what else is known of it."""
    named = {"kind": name_of(setting), "identity": setting["identity"], "name": setting["name"]}
    found: ToldSetting = dict(named, **more)  # type: ignore[assignment]  # keys of ToldSetting
    return found
