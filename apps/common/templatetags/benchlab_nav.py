"""Marks of the current entry in the top navigation: `{% load benchlab_nav %}`.

Labels and order are in templates/components/navbar.html.
"""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.common.templatetags.benchlab_badges import icon

register = template.Library()
ENTRIES: dict[str, tuple[str, ...]] = {
    "home": (),
    "host_list": (
        "host_list",
        "disk_list",
        "fleet_disks",
        "disk_model_list",
        "pool_list",
        "group_list",
    ),
    "tuning_list": ("tuning_list",),
    "plan_list": ("plan_list",),
    "run_list": ("run_list",),
    "compare": ("compare",),
    "history": ("history",),
    "report_list": ("report_list",),
    "import_list": ("import_list",),
}
"""Menu entries by URL name, each with the URL names that mark it as current."""


@register.simple_tag(takes_context=True)
def current_entry(context: Context) -> str:
    """Return the menu entry of the page; "" without one."""
    request = context.get("request")
    return entry_of(request.path) if request else ""


def entry_of(path: str) -> str:
    """Return the menu entry of a path; "" without one."""
    for name, below in ENTRIES.items():
        if path == reverse(name) or path.startswith(tuple(reverse(each) for each in below)):
            return name
    return ""


@register.simple_tag(takes_context=True)
def nav_link(context: Context, url_name: str, label: str, icon_name: str) -> SafeString:
    """Render an entry of ENTRIES, marked if it is the `current` one."""
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
