"""The kinds of settings that can be lent."""

from typing import Dict

from .ceph_settings import CEPH, CephKind
from .files import JSON
from .queue_settings import QUEUE, QueueKind
from .setting import Entry, Kind
from .sysctl_settings import SYSCTL, SysctlKind

KINDS: Dict[str, Kind] = {QUEUE: QueueKind(), SYSCTL: SysctlKind(), CEPH: CephKind()}


def kind_of(entry: Entry) -> Kind:
    """The kind of a journal's line."""
    return KINDS[name_of(entry)]


def forget_all() -> None:
    """Whatever any kind has read before is read anew."""
    for kind in KINDS.values():
        kind.forget()


def name_of(entry: Entry) -> str:
    """Journals once had settings of queues alone, and did not say so."""
    return str(entry.get("kind", QUEUE))


def short(entry: Entry) -> JSON:
    """A line as exit.json names it."""
    return {"kind": name_of(entry), "identity": entry["identity"], "name": entry["name"]}
