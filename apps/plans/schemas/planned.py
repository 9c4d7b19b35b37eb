"""A plan as plain data: what the expansion and the checks read, with no database behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.plans.schemas.plan import EMPTY, PlanSpec
from apps.plans.schemas.targets import PlannedTarget
from apps.tools.values import Parameters
from apps.tuning.schemas.settings import POOL, Settings, makes_files

MEASURE = "measure"
PRECONDITION = "precondition"


@dataclass(frozen=True)
class PlannedTuning:
    """One tuning profile. `settle`: seconds between the last change and the first command."""

    id: int | None
    name: str
    settings: Settings = ()
    settle_seconds: float = 0.0

    @property
    def pins(self) -> bool:
        """Whether it asks for one CPU per hardware queue."""
        return any(setting.pins for setting in self.settings)

    @property
    def makes_files(self) -> bool:
        """Whether it makes a file system on the disks under test."""
        return makes_files(self.settings)

    @property
    def goes_behind(self) -> bool:
        """Whether anything of it is for the hosts behind a pool."""
        return any(setting.scope == POOL for setting in self.settings)


HOST_DEFAULTS = PlannedTuning(None, "Host defaults")


@dataclass(frozen=True)
class PlannedPlan:
    """A plan with its targets and tuning profiles, without a database.

    No tunings means one: the host defaults. `baseline`: the tuning that the others are compared
    with.
    """

    spec: PlanSpec = EMPTY
    targets: tuple[PlannedTarget, ...] = ()
    tunings: tuple[PlannedTuning, ...] = ()
    baseline: PlannedTuning | None = None
    name: str = ""

    @property
    def in_files(self) -> bool:
        """Whether every test on disks works in files of a file system made there."""
        return all(tuning.makes_files for tuning in self.all_tunings)

    @property
    def all_tunings(self) -> tuple[PlannedTuning, ...]:
        return self.tunings or (HOST_DEFAULTS,)

    @property
    def baseline_tuning(self) -> PlannedTuning:
        return self.baseline or self.all_tunings[0]


@dataclass(frozen=True)
class PlannedCase:
    """One case before it is a row. `seconds`: expected, with ramp, settle time and what surrounds a
    test.

    `sequence` counts from 0 in the order of execution; `repeat` from 1; `block` is the random block
    (from 1 when interleaved, else 0). `bytes_written` is None where it cannot be told
    before the run. `threads` are placed on CPUs of their own for each disk if the tuning pins;
    `programs` maps a host's id to the programs it must have. `purpose`: MEASURE, or PRECONDITION
    for one
    that is of no step and brings a disk into a state.
    """

    sequence: int
    block: int
    repeat: int
    step: int | None
    step_name: str
    tool: str
    params: Parameters
    workload_key: str
    label: str
    target: PlannedTarget
    tuning: PlannedTuning
    seconds: float
    bytes_written: int | None
    writes: bool
    timed_seconds: float = 0.0
    threads: int = 1
    programs: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    purpose: str = MEASURE


@dataclass(frozen=True)
class Problem:
    """A sentence about a plan. `step` is the step's index from 0 and `field` its parameter; without
    a step, `field` is one of the plan's own (targets, tunings, repeats, steps).

    `saving`: the plan itself is wrong, so it cannot be saved; otherwise only its launch has to
    wait.
    """

    message: str
    step: int | None = None
    field: str = ""
    saving: bool = True


@dataclass(frozen=True)
class Expansion:
    """The cases of everything that could be expanded, and what stood in the way of the rest."""

    cases: tuple[PlannedCase, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Totals:
    """A number of cases, the seconds they take one after another, and the bytes they write.

    `timed_seconds` is how long the cases without a known number of bytes write.

    `bytes_written` is the sum of what is known; `open_ended` counts cases whose bytes cannot be
    told before the run.
    """

    cases: int = 0
    seconds: float = 0.0
    bytes_written: int = 0
    open_ended: int = 0
    timed_seconds: float = 0.0
    writing: int = 0

    @property
    def bytes_at_1_gib(self) -> int:
        """Bytes that all of it writes on a device that takes 1 GiB each second."""
        return self.bytes_written + int(self.timed_seconds * 1024**3)


@dataclass(frozen=True)
class Preview:
    """The cases, times and problems of a plan if it were launched now. `bytes_written` is None if
    any case's cannot be told. `most`: the totals with all blocks that may be added, None where none
    may be.
    """

    cases: tuple[PlannedCase, ...]
    seconds: float
    bytes_written: int | None
    by_target: tuple[tuple[PlannedTarget, Totals], ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    totals: Totals = field(default_factory=Totals)
    most: Totals | None = None

    @property
    def writes_disks(self) -> bool:
        """Whether launching destroys what is on a disk."""
        return any(case.writes and case.target.uses == "disk" for case in self.cases)
