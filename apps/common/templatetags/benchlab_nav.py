"""Entries of menus and of the command palette: `{% load benchlab_nav %}`."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.common.domain.navigation import (
    ACCOUNT_MENU,
    ACTIONS,
    MENU,
    PAGES,
    NavEntry,
    offered_entries,
)
from apps.common.templatetags.benchlab_badges import icon

register = template.Library()
OFFERED = {"menu": MENU, "account": ACCOUNT_MENU, "pages": PAGES, "actions": ACTIONS}


@register.simple_tag(takes_context=True)
def current_entry(context: Context) -> str:
    """Return the menu entry of the page; "" without one."""
    request = context.get("request")
    return entry_of(request.path) if request else ""


def entry_of(path: str) -> str:
    """Return the URL name of a path's menu entry; "" without one."""
    for entry in MENU:
        below = tuple(reverse(name) for name in entry.below)
        if path == reverse(entry.url_name) or path.startswith(below):
            return entry.url_name
    return ""


@register.simple_tag(takes_context=True)
def nav_entries(context: Context, name: str) -> list[NavEntry]:
    """Return the entries of OFFERED[name] that the user may use."""
    return offered_entries(OFFERED[name], context.get("user"))


@register.simple_tag(takes_context=True)
def nav_link(context: Context, entry: NavEntry) -> SafeString:
    """Render an entry of the menu, marked if it is the `current` one."""
    is_current = context.get("current") == entry.url_name
    return format_html(
        '<li class="nav-item{}"><a class="nav-link" href="{}"{}>'
        '<span class="nav-link-icon">{}</span><span class="nav-link-title">{}</span></a></li>',
        " active" if is_current else "",
        reverse(entry.url_name),
        SafeString(' aria-current="page"') if is_current else "",
        icon(entry.icon),
        entry.label,
    )
