"""Labels of targets in forms and lists: disks, pools, addresses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.domain.units import binary_bytes
from apps.inventory.models import Directory, GroupMember, Host, Pool, TargetGroup


@dataclass(frozen=True)
class HostMembers:
    """A group's members on one host, each with why it may not be written to ("" if it may)."""

    host: Host
    members: list[tuple[GroupMember, str]]


def member_label(row: GroupMember) -> str:
    """Return the label of a member in a choice: "node1: /dev/sdb · 1 TiB"."""
    if isinstance(row, Directory):
        words = [str(row), _("directory")]
    else:
        size = binary_bytes(row.size) if row.size else ""
        words = [str(row), row.model_name, size, writing(row) or _("enrolled")]
    if not row.host.enabled:
        words.append(_("host switched off"))
    return " · ".join(word for word in words if word)


def writing(row: GroupMember) -> str:
    """Return why no test may write to it; "" for an enrolled disk and for a directory."""
    if isinstance(row, Directory) or row.is_enrolled:
        return ""
    if row.known.system:
        return _("holds the system: read tests only")
    return _("not enrolled: read tests only")


def by_host(group: TargetGroup) -> list[HostMembers]:
    """Return a group's members host by host."""
    hosts = groupby(group.members, key=lambda row: row.host)
    return [HostMembers(host, [(row, writing(row)) for row in own]) for host, own in hosts]


def pool_shape(pool: Pool) -> str:
    """Return the layout of an ephemeral pool; "" for an existing one.

    Example: "erasure coded 2+1 over OSDs, 64 placement groups".
    """
    if not pool.is_ephemeral:
        return ""
    groups = ngettext("%(n)d placement group", "%(n)d placement groups", pool.pg_num)
    return f"{_kind_words(pool)}, {groups % {'n': pool.pg_num}}"


def _kind_words(pool: Pool) -> str:
    if pool.pool_type == Pool.PoolType.REPLICATED:
        if pool.replicas is None:
            return _("replicated as the cluster does by default")
        return ngettext("%(n)d replica", "%(n)d replicas", pool.replicas) % {"n": pool.replicas}
    over = _("OSDs") if pool.failure_domain == Pool.FailureDomain.OSD else _("hosts")
    return _("erasure coded %(k)d+%(m)d over %(over)s") % {"k": pool.k, "m": pool.m, "over": over}


def card_addresses(host: Host | None) -> list[tuple[str, str]]:
    """Return (address, network card) of every card at the last check."""
    cards = host.known.nics if host else ()
    return [(address, card.name) for card in cards for address in card.addresses]


def network_address(host: Host) -> str:
    """Return the address for network tests, and the other ones."""
    if host.network_test_address:
        return host.network_test_address
    others = ", ".join(f"{address} ({card})" for address, card in card_addresses(host))
    if host.address:
        words = _("%(address)s, where benchlab logs in") % {"address": host.address}
    else:
        words = _("none yet: an admin enters one")
    if not others:
        return words
    return _("%(address)s; its cards have %(others)s") % {"address": words, "others": others}
