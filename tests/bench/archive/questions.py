"""Questions to the lists of a made-up archive: by filter, values that many, few and no rows fit."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml
from django.db.models import Model

from apps.common.api.pagination import PAGING
from apps.results.models import Series
from apps.runs.models import Case, Run
from tests.bench.archive.fill import Filled

DOCUMENT = Path(__file__).parents[3] / "docs/reference/openapi.yaml"
Asked = dict[str, list[Any]]


@functools.cache
def documented(noun: str) -> frozenset[str]:
    """The documented filters of a list of the API."""
    paths = yaml.load(DOCUMENT.read_text(), Loader=yaml.CSafeLoader)["paths"]
    names = (row["name"] for row in paths[f"/api/v1/{noun}/"]["get"]["parameters"])
    return frozenset(names) - PAGING


def asked_of_runs(filled: Filled) -> Asked:
    """For /api/v1/runs/ and the page of runs."""
    lab = filled.lab
    return {
        "name": ["archive plan 7", "import 27", "no such run"],
        "state": ["succeeded", "failed", "lost", "queued", "running", "cancelled"],
        "origin": ["imported", "launched"],
        "plan": _ends(lab.plans),
        "owner": _ends(lab.people),
        "host": _ends(lab.hosts),
        "tag": ["no-such-tag"],
        "archived": ["true", "false"],
        "missed": ["true", "false"],
        "queued_after": ["2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z"],
        "queued_before": ["2001-01-01T00:00:00Z", "2199-01-01T00:00:00Z"],
    }


def asked_of_cases(filled: Filled) -> Asked:
    """For /api/v1/cases/."""
    lab, targets = filled.lab, _kinds(filled)
    small = Run.objects.filter(case_count__range=(1, 60)).order_by("pk")[5].pk
    names = [lab.hosts[place].name for place in (0, len(lab.hosts) // 2, -1)]
    return {
        "run": [filled.large, filled.middle, small],
        "workload": [row.key for rows in lab.workloads.values() for row in (rows[0], rows[-1])],
        "host": _ends(lab.hosts),
        "target": [key for rows in targets.values() for key in _ends(rows)],
        "target_name": [*names, "nvme", "no such target"],
        "tuning": [row.pk for row in lab.tunings],
        "tool": [*lab.workloads, "no such tool"],
        "missed": ["true", "false"],
        "state": ["succeeded", "failed", "lost", "pending", "running", "cancelled", "unconfirmed"],
    }


def asked_of_measurements(filled: Filled) -> Asked:
    """For /api/v1/measurements/."""
    of_cases = asked_of_cases(filled)
    alike = ("run", "workload", "host", "target_name", "tuning")
    bounds = {
        name: [1e15, 1e6, 1e4] if name.startswith("least_") else [1.0, 1e5, 1e7]
        for name in documented("measurements")
        if name.startswith(("least_", "most_"))
    }
    return {
        **{name: of_cases[name] for name in alike},
        **bounds,
        "plan": _ends(filled.lab.plans),
        # For a group or pool PostgreSQL may walk the newest results until a page is full.
        "target": _ends(_kinds(filled)["Disk"]),
        "of_disk": _ends(_kinds(filled)["Disk"]),
        "case": [Case.objects.order_by("pk")[100].pk],
        "operation": ["read", "write", "seq", "rand"],
        "components": ["true"],
        "valid": ["true", "false"],
        "missed": ["true", "false"],
    }


def asked_of_series(filled: Filled) -> Asked:
    """For /api/v1/series/."""
    told = Series.objects.select_related("attempt").order_by("pk")[0]
    return {
        "run": asked_of_cases(filled)["run"],
        "case": [told.attempt.case_id],
        "attempt": [str(told.attempt_id)],
        "source": ["tool", "device"],
        "component": ["node1"],
        "subject": ["read", "sda"],
        "metric": ["iops", "none"],
    }


ASKED: dict[str, Callable[[Filled], Asked]] = {
    "runs": asked_of_runs,
    "cases": asked_of_cases,
    "measurements": asked_of_measurements,
    "series": asked_of_series,
}


def questions(filled: Filled) -> dict[str, Asked]:
    """By list. Raises ValueError where a documented filter has no value to try."""
    found = {noun: ask(filled) for noun, ask in ASKED.items()}
    for noun, given in found.items():
        if given.keys() != documented(noun):
            raise ValueError(f"{noun}: {given.keys() ^ documented(noun)}")
    return found


def _ends(rows: Sequence[Model]) -> list[int]:
    """The keys of the first row, which only old runs used, one that many did, and the last."""
    return [int(row.pk) for row in (rows[0], rows[len(rows) // 2], rows[-1])]


def _kinds(filled: Filled) -> dict[str, list[Model]]:
    """The lab's targets by what they are."""
    found: dict[str, list[Model]] = {}
    for row in (row for rows in filled.lab.targets.values() for row in rows):
        found.setdefault(type(row).__name__, []).append(row)
    return found
