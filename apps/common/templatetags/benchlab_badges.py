"""Icons and states: `{% load benchlab_badges %}`, then `{% icon "server" %}`."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

register = template.Library()


class Badge(NamedTuple):
    """Colour, icon and label of a state; never a colour alone."""

    tone: str  # good, bad, warn, busy, quiet: the colours of app.css
    icon: str
    label: str | Promise


BADGES = {
    # runs, cases and attempts
    "queued": Badge("quiet", "clock", _("Queued")),
    "pending": Badge("quiet", "clock", _("Waiting")),
    "claimed": Badge("busy", "clock", _("Claimed")),
    "preflight": Badge("busy", "refresh", _("Checking the host")),
    "collecting": Badge("busy", "download", _("Collecting")),
    "parsing": Badge("busy", "document", _("Reading the output")),
    "preparing": Badge("busy", "refresh", _("Preparing")),
    "running": Badge("busy", "play", _("Running")),
    "unknown": Badge("warn", "question", _("Unknown")),
    "cancelling": Badge("warn", "stop", _("Cancelling")),
    "succeeded": Badge("good", "check", _("Succeeded")),
    "failed": Badge("bad", "cross", _("Failed")),
    "cancelled": Badge("quiet", "stop", _("Cancelled")),
    "lost": Badge("bad", "unlink", _("Lost")),
    "unconfirmed": Badge("bad", "question", _("Ended (unconfirmed)")),
    "invalid": Badge("warn", "alert", _("Invalid")),
    "refused": Badge("bad", "ban", _("Refused")),
    "skipped": Badge("quiet", "skip", _("Skipped")),
    # acceptances and their disks
    "filling": Badge("busy", "download", _("Filling")),
    "measuring": Badge("busy", "play", _("Measuring")),
    "accepted": Badge("good", "check", _("Accepted")),
    "rejected": Badge("bad", "cross", _("Rejected")),
    "unclear": Badge("warn", "question", _("Unclear")),
    # bookings
    "planned": Badge("quiet", "clock", _("Planned")),
    "active": Badge("busy", "lock", _("Active")),
    "ended": Badge("quiet", "check", _("Ended")),
    # imports and their files
    "received": Badge("busy", "document", _("Being read")),
    "read": Badge("warn", "question", _("Not stored yet")),
    "storing": Badge("busy", "download", _("Being stored")),
    "stored": Badge("good", "check", _("Stored")),
    "discarded": Badge("quiet", "trash", _("Discarded")),
    "waiting": Badge("quiet", "clock", _("Not read yet")),
    "parsed": Badge("good", "check", _("Parsed")),
    "split": Badge("quiet", "document", _("Split")),
    # hosts
    "ok": Badge("good", "check", _("OK")),
    "warning": Badge("warn", "alert", _("Warning")),
    "unreachable": Badge("bad", "unlink", _("Unreachable")),
    "disabled": Badge("quiet", "ban", _("Disabled")),
    "unchecked": Badge("quiet", "question", _("Not checked yet")),
    "imported_only": Badge("quiet", "document", _("Archive only")),
    # rows of a host list
    "new": Badge("good", "plus", _("New")),
    "changed": Badge("warn", "edit", _("Changed")),
    "same": Badge("quiet", "equal", _("Same")),
    # rows of a list of disks
    "enrol": Badge("good", "plus", _("To enrol")),
    "enrolled": Badge("quiet", "equal", _("Enrolled already")),
    "not_reported": Badge("bad", "unlink", _("Not reported")),
    # results of a one-time password
    "key_works": Badge("good", "check", _("Key works already")),
    "key_deployed": Badge("good", "check", _("Key works")),
    "password_refused": Badge("bad", "ban", _("Password refused")),
    "key_changed": Badge("bad", "unlink", _("Host key changed")),
    "key_unknown": Badge("warn", "question", _("Host key not trusted")),
    "timed_out": Badge("warn", "clock", _("No result in time")),
    # benchlab's own processes
    "not_running": Badge("bad", "unlink", _("Not running")),
    # conditions of a test
    "buffered": Badge("warn", "alert", _("Buffered")),
    # verdicts of a comparison
    "better": Badge("good", "up", _("Better")),
    "worse": Badge("bad", "down", _("Worse")),
    "no_difference": Badge("quiet", "equal", _("No difference shown")),
    "not_comparable": Badge("warn", "ban", _("Not comparable")),
    "too_few_repeats": Badge("warn", "question", _("Too few repeats")),
    "not_tested": Badge("quiet", "skip", _("Not tested")),
    # decisions of a gate
    "passed": Badge("good", "check", _("Passed")),
    "undecided": Badge("warn", "question", _("Undecided")),
    "no_result": Badge("bad", "unlink", _("No result")),
    # expectations
    "met": Badge("good", "check", _("Met")),
    "missed": Badge("bad", "cross", _("Missed")),
    "inconclusive": Badge("warn", "question", _("Inconclusive")),
}


def get_badge(state: str) -> Badge:
    """Return the badge of a state; an unknown state is displayed by its name."""
    return BADGES.get(state) or Badge(
        "quiet", "question", str(state).replace("_", " ").capitalize()
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    """Render an icon of static/img/icons.svg; decorative, so text must accompany it."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
def status_badge(state: str, title: str = "") -> SafeString:
    """Render a state as icon and label; `title` is the reason."""
    badge = get_badge(state)
    return format_html(
        '<span class="state state-{}"{} data-state="{}">{}{}</span>',
        badge.tone,
        format_html(' title="{}"', title) if title else "",
        state,
        icon(badge.icon),
        badge.label,
    )
