"""The top navigation: `{% load benchlab_nav %}`."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.common.templatetags.benchlab_badges import icon

register = template.Library()


@register.simple_tag(takes_context=True)
def nav_link(
    context: Context, url_name: str, label: str, icon_name: str, *beside: str
) -> SafeString:
    """One entry; it is marked as current on its own page, on the pages below its address, and on
    those of the names `beside` it, which are its tabs."""
    address = reverse(url_name)
    path = context["request"].path if "request" in context else ""
    below = [reverse(name) for name in (url_name, *beside) if name != "home"]
    current = path == address or path.startswith(tuple(below))
    return format_html(
        '<li class="nav-item{}"><a class="nav-link" href="{}"{}>'
        '<span class="nav-link-icon">{}</span><span class="nav-link-title">{}</span></a></li>',
        " active" if current else "",
        address,
        SafeString(' aria-current="page"') if current else "",
        icon(icon_name),
        label,
    )
