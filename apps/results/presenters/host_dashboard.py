"""Links to dashboards of the hosts' own metrics (BENCHLAB_HOST_DASHBOARD)."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import quote

from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.runs.models import Attempt

MARGIN = timedelta(minutes=1)
"""Time before and after the attempt, as node_exporter is scraped every 15 to 60 s."""


def dashboard_links(attempt: Attempt) -> SafeString | None:
    """Return a link per host; None without the setting, a start, or hosts of one's own."""
    template: str = settings.HOST_DASHBOARD
    if not template or attempt.started_at is None or attempt.case.run.is_imported:
        return None
    start, end = attempt.started_at - MARGIN, (attempt.ended_at or timezone.now()) + MARGIN
    names = dict.fromkeys(member.host_name for member in attempt.case.members if member.host_name)
    links = [(_url(template, name, start, end), name) for name in names]
    return format_html_join(", ", '<a href="{}" rel="noreferrer">{}</a>', links) or None


def _url(template: str, host: str, start: datetime, end: datetime) -> str:
    """Return the URL; times are in milliseconds since 1970, as in Grafana's."""
    fields = {"host": quote(host, safe=""), "from": _milliseconds(start), "to": _milliseconds(end)}
    return template.format(**fields)


def _milliseconds(moment: datetime) -> str:
    return str(round(moment.timestamp() * 1000))
