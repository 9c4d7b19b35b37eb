"""Repeats as columns: a row has the figures of one operation of one succeeded case, and everything
in which it could differ from another.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext_lazy as _

from apps.analysis.repeats.interim import InterimAnalysis
from apps.inventory.domain.facts import part, rows
from apps.inventory.schemas.host_facts import Raw
from apps.tools.metrics import COMPARISON_METRICS, WINDOWED_SERIES
from apps.tools.values import Parameters
from apps.tuning.schemas.settings import Setting

Properties = Mapping[str, str]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
LABELS = {
    "host": _("host"),
    "target": _("target"),
    "tuning": _("tuning"),
    "kernel": _("kernel"),
    "distribution": _("distribution"),
    "architecture": _("architecture"),
    "cpu": _("CPU model"),
    "cpus": _("number of CPUs"),
    "memory": _("memory"),
    "tool": _("tool version"),
    "parser": _("parser version"),
    "model": _("disk model"),
    "firmware": _("disk firmware"),
    "size": _("disk size"),
    "queue": _("queue settings before the test"),
    "caches": _("caches of the OSDs"),
}
UNKNOWN = "unknown"
# What nobody could tell of an imported result: it says neither "the same" nor "different".
NOT_REPORTED = ""


@dataclass(frozen=True)
class Conditions:
    """Under what a repeat was measured; few different ones, shared by many repeats.

    `target` is without its host where it is a disk or directory. `imported`: others measured it,
    so what is not known of it is NOT_SAID.
    """

    host: int
    host_name: str
    disk: int | None
    target: str
    tuning_name: str
    tuning_text: str
    properties: Properties
    imported: bool = False

    @property
    def target_label(self) -> str:
        """The target with its host, as levels and lists show it."""
        return self.properties["target"] or UNKNOWN

    @cached_property
    def unsaid(self) -> list[str]:
        """The properties of an imported result that nobody told, in LABELS' order."""
        return [name for name in LABELS if self.imported and not self.properties.get(name)]


@dataclass(frozen=True)
class WorkloadPoint:
    """A workload as comparisons see it."""

    pk: int
    key: str
    tool: str
    params: Parameters
    label: str


@dataclass(frozen=True)
class Repeats:
    """A row is a repeat, in the order of measurement. `point` and `conditions` are places in
    `points` and `shared`, `operation` in `operations`; `values` has a column for each of COMPARED,
    in canonical units, NaN where a repeat has no value; `windows` one for each of WINDOWED_SERIES,
    the length of its intervals in seconds, NaN where nobody asked for a figure of them. `at`:
    microseconds since 2000; `timed`: that is when it was measured, not when it was imported.
    `block`: 0 where cases ran as listed, else equal within one block of one run. `looks`: when the
    figures are looked at, ascending (`verdicts.looked`). `baseline_tunings`: as `beside.Beside` has
    them.
    """

    measurement: Ints
    run: Ints
    at: Ints
    block: Ints
    operation: Ints
    point: Ints
    conditions: Ints
    timed: Flags
    values: Floats
    windows: Floats = field(default_factory=lambda: np.empty((0, len(WINDOWED_SERIES))))
    operations: tuple[str, ...] = ()
    points: tuple[WorkloadPoint, ...] = ()
    shared: tuple[Conditions, ...] = ()
    looks: tuple[InterimAnalysis, ...] = ()
    baseline_tunings: tuple[tuple[str, str], ...] = ()

    def __len__(self) -> int:
        return len(self.measurement)

    def where(self, rows: Flags) -> Repeats:
        """These rows alone."""
        if rows.all():
            return self
        columns = {name: getattr(self, name)[rows] for name in _COLUMNS}
        if len(self.windows):
            columns["windows"] = self.windows[rows]
        return replace(self, **columns)

    def metric(self, key: str) -> Floats:
        """One of COMPARED of every repeat."""
        return self._columns[key]

    @cached_property
    def has_negative(self) -> bool:
        """Whether any value is below zero, which none of COMPARED can be."""
        return bool((self.values < 0).any())

    @cached_property
    def all_in_blocks(self) -> bool:
        return bool(self.block.all())

    @cached_property
    def all_timed(self) -> bool:
        return bool(self.timed.all())

    @cached_property
    def moments(self) -> Floats:
        """`at` as floating point, which tests take."""
        return self.at.astype(np.float64)

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        # Each in one piece of memory: thousands of comparisons take ten values of one metric each.
        return dict(zip(COMPARISON_METRICS, np.ascontiguousarray(self.values.T), strict=True))

    @property
    def points_here(self) -> list[WorkloadPoint]:
        """The workloads that these rows have, each once, in the order of measurement."""
        return [self.points[place] for place in first_seen(self.point)]

    @property
    def shared_here(self) -> list[Conditions]:
        """The conditions that these rows have, each once."""
        return [self.shared[place] for place in first_seen(self.conditions)]


_COLUMNS = (
    "measurement", "run", "at", "block", "operation", "point", "conditions", "timed", "values",
)  # fmt: skip


def first_seen(codes: Ints) -> list[int]:
    """The different numbers, in the order in which they come first."""
    found, first = np.unique(codes, return_index=True)
    ordered: list[int] = found[np.argsort(first)].tolist()
    return ordered


def as_list(values: Floats) -> list[float | None]:
    """Values for people and programs: None where there is none."""
    return [value if math.isfinite(value) else None for value in values.tolist()]


def settings_text(settings: Iterable[Setting]) -> str:
    """Tuning settings as "scheduler none, nr_requests 64"; empty for the host as found."""
    return ", ".join(f"{one.name} {one.value}" for one in settings)


def properties_of(facts: Raw, identity: str) -> dict[str, str]:
    """Properties of a host and of its disk with this identity, from the host's facts. A property
    without a fact is "unknown"; times and addresses, which change by themselves, are left out.
    """
    cpu = part(facts, "cpu")
    found = {
        "kernel": facts.get("kernel"),
        "distribution": facts.get("distribution"),
        "architecture": facts.get("architecture"),
        "cpu": cpu.get("model"),
        "cpus": cpu.get("count"),
        "memory": facts.get("memory"),
    }
    if identity:
        found |= _disk_properties(facts, identity)
    return {name: UNKNOWN if value in (None, "") else str(value) for name, value in found.items()}


def _disk_properties(facts: Raw, identity: str) -> dict[str, object]:
    same = [row for row in rows(facts, "disks") if row.get("identity") == identity]
    disk: Raw = same[0] if same else {}
    # Also settings of the queue that benchlab does not know make results incomparable.
    queue = {name: value for name, value in part(disk, "queue").items() if name != "schedulers"}
    return {
        # A disk that was seen and has no model (a loop device) is no unknown disk.
        "model": disk.get("model") or ("none" if disk else None),
        "firmware": disk.get("firmware") or ("none" if disk else None),
        "size": disk.get("size"),
        "queue": json.dumps(queue, sort_keys=True) if queue else None,
    }
