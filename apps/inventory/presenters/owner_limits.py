"""The limits of a host's owner as rows of label and value."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from apps.common.domain.messages import localize_message
from apps.common.templatetags.benchlab_format import bytes_, duration
from apps.inventory.models import Host
from apps.inventory.schemas.host_facts import LimitDocument

LimitRow = tuple[str, Any]


def owner_limit_rows(host: Host) -> list[LimitRow]:
    """Return the limits at the last check; empty without any."""
    found = host.known.owner_limits
    rows: list[LimitRow] = []
    if found.is_stopped:
        rows.append((_("Stopped"), _("The owner's stop file exists: no test starts.")))
    if found.error:
        rows.append((_("Not readable"), localize_message(found.error)))
    rows += [row for row in _limit_rows(found.limits) if row[1] is not None]
    return [*rows, _meaning()] if rows else []


def _meaning() -> LimitRow:
    text = _("The agent obeys them first. They stop mistakes, not somebody who controls benchlab.")
    return _("Meaning"), text


def _limit_rows(limits: LimitDocument) -> list[LimitRow]:
    return [
        (_("Tools"), _names(limits.tools)),
        (_("Disks"), _names(limits.disks)),
        (_("Settings"), _names(limits.settings)),
        (_("Hours"), _hours(limits.hours)),
        (_("Longest test"), None if limits.seconds is None else duration(limits.seconds)),
        (
            _("Written in a day"),
            None if limits.bytes_a_day is None else bytes_(limits.bytes_a_day),
        ),
        (_("Note"), limits.note or None),
    ]


def _names(names: tuple[str, ...] | None) -> str | None:
    return None if names is None else ", ".join(names) or _("none")


def _hours(hours: dict[str, str] | None) -> str | None:
    if hours is None:
        return None
    parts = {"begin": hours.get("from", "?"), "end": hours.get("to", "?")}
    return _("%(begin)s to %(end)s (%(zone)s)") % {**parts, "zone": hours.get("zone", "?")}
