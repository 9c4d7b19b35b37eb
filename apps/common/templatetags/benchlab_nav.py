"""The top navigation: `{% load benchlab_nav %}`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from django import template
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.common.templatetags.benchlab_badges import icon
from apps.common.templatetags.benchlab_kept import kept_part

register = template.Library()
NAVBAR = "components/navbar.html"
TOKEN = SafeString("<!-- token -->")
"""Place of the token of the form that logs out: each page has its own. No text of a person's
can say it, as text is escaped.
"""
ENTRIES: dict[str, tuple[str, ...]] = {
    "home": (),
    "host_list": ("host_list", "pool_list", "group_list"),
    "tuning_list": ("tuning_list",),
    "plan_list": ("plan_list",),
    "run_list": ("run_list",),
    "compare": ("compare",),
    "history": ("history",),
    "report_list": ("report_list",),
    "import_list": ("import_list",),
}
"""Entries of the menu by the names of their addresses, each with the names of those below which it
is the current one: itself, and its tabs.
"""


class Person(NamedTuple):
    """All that the navigation shows of who is logged in."""

    name: str
    role: str
    is_admin: bool


@register.simple_tag(takes_context=True)
def navbar(context: Context) -> SafeString:
    """The top navigation. All but a form's token is kept by what it shows: every page has it."""
    user, request = context.get("user"), context.get("request")
    path = request.path if request else ""
    searched = context.get("searched") or ""
    if searched:
        shown = {"person": _person(user), "current": current_entry(path)}
        html = render_to_string(NAVBAR, {**shown, "searched": searched, "token": TOKEN})
    else:
        html = navbar_of(user, path)
    before, mark, after = html.partition(TOKEN)
    return SafeString(f"{before}{CsrfTokenNode().render(context) if mark else ''}{after}")


def navbar_of(user: Any, path: str) -> SafeString:
    """The navigation of a page at `path`, with TOKEN where its form's token belongs."""
    return kept_part(NAVBAR, person=_person(user), current=current_entry(path), token=TOKEN)


def _person(user: Any) -> Person | None:
    if not getattr(user, "is_authenticated", False):
        return None
    return Person(str(user.get_username()), str(user.get_role_display()), bool(user.is_admin))


def current_entry(path: str) -> str:
    """The entry of the menu that a page belongs to; "" where none is."""
    for name, address, below in _addresses():
        if path == address or path.startswith(below):
            return name
    return ""


@lru_cache(maxsize=1)
def _addresses() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return tuple(
        (name, reverse(name), tuple(reverse(each) for each in below))
        for name, below in ENTRIES.items()
    )


@receiver(setting_changed)
def _forget(**_: Any) -> None:
    """Tests have addresses of their own."""
    _addresses.cache_clear()


@register.simple_tag(takes_context=True)
def nav_link(context: Context, url_name: str, label: str, icon_name: str) -> SafeString:
    """One entry of ENTRIES; it is marked where it is the `current` one."""
    current = context.get("current") == url_name
    return format_html(
        '<li class="nav-item{}"><a class="nav-link" href="{}"{}>'
        '<span class="nav-link-icon">{}</span><span class="nav-link-title">{}</span></a></li>',
        " active" if current else "",
        reverse(url_name),
        SafeString(' aria-current="page"') if current else "",
        icon(icon_name),
        label,
    )
