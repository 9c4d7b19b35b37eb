"""The most used pages and lists of the API, filled in with keys of an archive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

PAGES = (
    "/", "/runs/", "/runs/?name=run-1", "/hosts/", "/disks/", "/plans/", "/tunings/",
    "/runs/{middle}/", "/runs/{large}/?page=10", "/runs/{large}/parts/status/", "/cases/{case}/",
    "/compare/?run={small}", "/history/?workload={workload}",
)  # fmt: skip
CALLS = (
    "/api/v1/runs/", "/api/v1/runs/{large}/", "/api/v1/cases/?run={large}",
    "/api/v1/cases/?state=failed", "/api/v1/measurements/?run={middle}",
    "/api/v1/measurements/?workload={workload}", "/api/v1/hosts/",
)  # fmt: skip


def addresses(known: dict[str, Any]) -> Iterator[str]:
    """All of them."""
    for path in (*PAGES, *CALLS):
        yield path.format(**known)
