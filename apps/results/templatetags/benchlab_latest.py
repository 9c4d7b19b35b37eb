"""The latest result of each disk of a list: `{% load benchlab_latest %}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template

from apps.inventory.models import Disk
from apps.results.selectors.latest import LatestResult, latest_of

register = template.Library()


@register.simple_tag
def latest_results(disks: Iterable[Disk]) -> Mapping[int, LatestResult]:
    """`{% latest_results page.rows as latest %}`: for the whole list at once."""
    return latest_of(disk.target_id for disk in disks if disk.target_id is not None)


@register.filter
def of_disk(latest: Mapping[int, LatestResult], disk: Disk) -> LatestResult | None:
    """A disk's latest result."""
    return latest.get(disk.target_id) if disk.target_id is not None else None
