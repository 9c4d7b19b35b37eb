"""Repeats as columns: a row has the metrics and conditions of one operation of a succeeded case."""

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
from apps.inventory.schemas.host_facts import KnownFacts, Raw, known
from apps.inventory.schemas.storage_paths import Fabric
from apps.tools.metrics import COMPARISON_METRICS, WINDOWED_SERIES
from apps.tools.values import Parameters
from apps.tuning.domain.baseline import tuning_label
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
    "fabric": _("fabric of the disk"),
    "mount": _("file system and mount options"),
    "caches": _("caches of the OSDs"),
    "preconditioning": _("preconditioning"),
}
UNKNOWN = "unknown"
# Unknown property of an import: neither equal nor different.
NOT_REPORTED = ""


@dataclass(frozen=True)
class Conditions:
    """Conditions of a repeat, shared by many repeats.

    `target` is without its host for a disk or directory. Unknown properties of an import
    (`imported`) are NOT_REPORTED.
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
        """Return the target with its host, as levels and lists show it."""
        return self.properties["target"] or UNKNOWN

    @cached_property
    def unknown_properties(self) -> list[str]:
        """Return the unknown properties of an import, in the order of LABELS."""
        return [name for name in LABELS if self.imported and not self.properties.get(name)]


@dataclass(frozen=True)
class WorkloadPoint:
    """Workload of a comparison."""

    pk: int
    key: str
    tool: str
    params: Parameters
    label: str


@dataclass(frozen=True)
class Repeats:
    """Columns of repeats in the order of measurement.

    `point` and `conditions` are indices of `points` and `shared`, `operation` of `operations`.
    `values` has a column per metric of COMPARISON_METRICS, in canonical units, NaN if missing.
    `windows` has one per series of WINDOWED_SERIES: the length of its intervals in seconds, NaN if
    not requested. `at`: microseconds since 2000; `timed`: that is the time of measurement, not of
    import. `block`: 0 for cases without blocks, else equal within one block of one run. `looks`:
    interim analyses, ascending. `baseline_tunings`: as in `RelatedRows`.
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
        """Return these rows only."""
        if rows.all():
            return self
        columns = {name: getattr(self, name)[rows] for name in _COLUMNS}
        if len(self.windows):
            columns["windows"] = self.windows[rows]
        return replace(self, **columns)

    def metric(self, key: str) -> Floats:
        """Return a metric of every repeat."""
        return self._columns[key]

    def blocks(self, metric: str, rows: Ints) -> int:
        """Return the number of blocks with values of the metric; 0 if any is without a block."""
        measured = rows[np.isfinite(self.metric(metric)[rows])]
        blocks = set(self.block[measured].tolist())
        return 0 if 0 in blocks else len(blocks)

    @cached_property
    def timestamps(self) -> Floats:
        """Return `at` as floating point, for statistical tests."""
        return self.at.astype(np.float64)

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        # Contiguous columns: thousands of comparisons read ten values of one metric each.
        return dict(zip(COMPARISON_METRICS, np.ascontiguousarray(self.values.T), strict=True))

    @property
    def points_here(self) -> list[WorkloadPoint]:
        """Return the workloads of these rows, each once, in the order of measurement."""
        return [self.points[index] for index in first_seen(self.point)]

    @property
    def shared_here(self) -> list[Conditions]:
        """Return the conditions of these rows, each once."""
        return [self.shared[index] for index in first_seen(self.conditions)]


_COLUMNS = (
    "measurement", "run", "at", "block", "operation", "point", "conditions", "timed", "values",
)  # fmt: skip


def first_seen(codes: Ints) -> list[int]:
    """Return the distinct numbers in the order of their first occurrence."""
    result, first = np.unique(codes, return_index=True)
    ordered: list[int] = result[np.argsort(first)].tolist()
    return ordered


def as_list(values: Floats) -> list[float | None]:
    """Return values with None in place of NaN and infinity."""
    return [value if math.isfinite(value) else None for value in values.tolist()]


def settings_text(settings: Iterable[Setting]) -> str:
    """Return tuning settings as "scheduler none, nr_requests 64"; empty for host defaults."""
    return ", ".join(f"{one.name} {one.value}" for one in settings)


def with_settings(tuning: str, settings: str) -> str:
    """Return the name of a tuning with the text of its settings."""
    label = tuning_label(tuning)
    return f"{label} ({settings})" if settings else label


def properties_of(facts: Raw, identity: str, path: str = "") -> dict[str, str]:
    """Return properties of a host and its disk of this identity, or of the file system of a path.

    They are from the host's facts.

    A missing property is "unknown"; times and addresses, which always change, are omitted.
    """
    cpu = part(facts, "cpu")
    result = {
        "kernel": facts.get("kernel"),
        "distribution": facts.get("distribution"),
        "architecture": facts.get("architecture"),
        "cpu": cpu.get("model"),
        "cpus": cpu.get("count"),
        "memory": facts.get("memory"),
    }
    if identity:
        result |= _disk_properties(facts, identity)
    if path:
        mount = known(KnownFacts, {"mounts": facts.get("mounts")}).mount(path)
        result["mount"] = mount.text if mount else None
    return {name: UNKNOWN if value in (None, "") else str(value) for name, value in result.items()}


def _disk_properties(facts: Raw, identity: str) -> dict[str, object]:
    same = [row for row in rows(facts, "disks") if row.get("identity") == identity]
    disk: Raw = same[0] if same else {}
    # Unknown settings of the queue make results incomparable too.
    queue = {name: value for name, value in part(disk, "queue").items() if name != "schedulers"}
    return {
        # A disk without a model (a loop device) is not unknown.
        "model": disk.get("model") or ("none" if disk else None),
        "firmware": disk.get("firmware") or ("none" if disk else None),
        "size": disk.get("size"),
        "fabric": known(Fabric, part(disk, "fabric")).text or ("none" if disk else None),
        "queue": json.dumps(queue, sort_keys=True) if queue else None,
    }
