"""Tags of the latest result of each disk: `{% load benchlab_latest %}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template

from apps.inventory.models import Disk
from apps.results.selectors.latest import LatestResult, latest_of

register = template.Library()


@register.simple_tag
def latest_results(disks: Iterable[Disk]) -> Mapping[int, LatestResult]:
    """Return the latest results of disks: `{% latest_results page.rows as latest %}`."""
    return latest_of(disk.target_id for disk in disks if disk.target_id is not None)


@register.filter
def of_disk(latest: Mapping[int, LatestResult], disk: Disk) -> LatestResult | None:
    """Return the latest result of a disk."""
    return latest.get(disk.target_id) if disk.target_id is not None else None
