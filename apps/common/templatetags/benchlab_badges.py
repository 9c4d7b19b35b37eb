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


class Look(NamedTuple):
    """Colour, icon and words of a state; never a colour alone."""

    tone: str  # good, bad, warn, busy, quiet: the colours of app.css
    icon: str
    label: str | Promise


LOOKS = {
    # runs, cases and attempts
    "queued": Look("quiet", "clock", _("Queued")),
    "pending": Look("quiet", "clock", _("Waiting")),
    "claimed": Look("busy", "clock", _("Claimed")),
    "preflight": Look("busy", "refresh", _("Checking the host")),
    "collecting": Look("busy", "download", _("Collecting")),
    "parsing": Look("busy", "document", _("Reading the output")),
    "preparing": Look("busy", "refresh", _("Preparing")),
    "running": Look("busy", "play", _("Running")),
    "unknown": Look("warn", "question", _("Unknown")),
    "cancelling": Look("warn", "stop", _("Cancelling")),
    "succeeded": Look("good", "check", _("Succeeded")),
    "failed": Look("bad", "cross", _("Failed")),
    "cancelled": Look("quiet", "stop", _("Cancelled")),
    "lost": Look("bad", "unlink", _("Lost")),
    "unproven": Look("bad", "question", _("Ended (unconfirmed)")),
    "invalid": Look("warn", "alert", _("Invalid")),
    "refused": Look("bad", "ban", _("Refused")),
    "skipped": Look("quiet", "skip", _("Skipped")),
    # imports and their files
    "received": Look("busy", "document", _("Being read")),
    "read": Look("warn", "question", _("Not stored yet")),
    "storing": Look("busy", "download", _("Being stored")),
    "stored": Look("good", "check", _("Stored")),
    "discarded": Look("quiet", "trash", _("Discarded")),
    "waiting": Look("quiet", "clock", _("Not read yet")),
    "understood": Look("good", "check", _("Understood")),
    "split": Look("quiet", "document", _("Split")),
    "not_understood": Look("warn", "question", _("Not understood")),
    "left_out": Look("quiet", "skip", _("Left out")),
    # hosts
    "ok": Look("good", "check", _("OK")),
    "warning": Look("warn", "alert", _("Warning")),
    "unreachable": Look("bad", "unlink", _("Unreachable")),
    "disabled": Look("quiet", "ban", _("Disabled")),
    "unchecked": Look("quiet", "question", _("Not checked yet")),
    "imported_only": Look("quiet", "document", _("Archive only")),
    # benchlab's own processes
    "silent": Look("bad", "unlink", _("Not running")),
    # verdicts of a comparison
    "better": Look("good", "up", _("Better")),
    "worse": Look("bad", "down", _("Worse")),
    "no_difference": Look("quiet", "equal", _("No difference shown")),
    "not_comparable": Look("warn", "ban", _("Not comparable")),
    "too_few": Look("warn", "question", _("Too few repeats")),
    "not_tested": Look("quiet", "skip", _("Not tested")),
    # expectations
    "met": Look("good", "check", _("Met")),
    "missed": Look("bad", "cross", _("Missed")),
    "straddles": Look("warn", "question", _("On both sides")),
}


@register.filter
def status_look(state: str) -> Look:
    """The look of a state; one that is not listed is shown by its own name, never hidden."""
    return LOOKS.get(state) or Look("quiet", "question", str(state).replace("_", " ").capitalize())


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of static/img/icons.svg; decoration only, so words must stand beside it."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
def status_badge(state: str, title: str = "") -> SafeString:
    """A state as icon and word; `title` is why."""
    look = status_look(state)
    return format_html(
        '<span class="state state-{}"{} data-state="{}">{}{}</span>',
        look.tone,
        format_html(' title="{}"', title) if title else "",
        state,
        icon(look.icon),
        look.label,
    )
