"""Filters of the latest result of each disk: `{% load benchlab_latest %}`."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from apps.inventory.models import Disk
from apps.results.selectors.latest import LatestResult

register = template.Library()


@register.filter
def of_disk(latest: Mapping[int, LatestResult], disk: Disk) -> LatestResult | None:
    """Return the latest result of a disk."""
    return latest.get(disk.target_id) if disk.target_id is not None else None
