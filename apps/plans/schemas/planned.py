"""A plan as plain data for expansion and checks, without a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.plans.schemas.advice import Advice
from apps.plans.schemas.plan import EMPTY, PlanSpec
from apps.plans.schemas.targets import FailingDisk, PlannedTarget
from apps.tools.added_params import tool_params
from apps.tools.values import Parameters
from apps.tuning.schemas.settings import CEPH_CONF, POOL, Settings, makes_files, restarted_kinds

MEASURE = "measure"
MAX_DAEMON_NAMES = 12
PRECONDITION = "precondition"


@dataclass(frozen=True)
class PlannedTuning:
    """One tuning profile; `settle`: seconds between the last change and the first command."""

    id: int | None
    name: str
    settings: Settings = ()
    settle_seconds: float = 0.0

    @property
    def pins(self) -> bool:
        """Return True if it requests one CPU per hardware queue."""
        return any(setting.pins for setting in self.settings)

    @property
    def makes_files(self) -> bool:
        """Return True if it makes a file system on the disks under test."""
        return makes_files(self.settings)

    @property
    def daemon_kinds(self) -> tuple[str, ...]:
        """Return the kinds of daemons whose hosts a setting applies to: osd, mon, mds."""
        on_osd_hosts = any(one.scope == POOL and one.kind != CEPH_CONF for one in self.settings)
        kinds = self.restarted_kinds
        return kinds if "osd" in kinds or not on_osd_hosts else ("osd", *kinds)

    @property
    def restarted_kinds(self) -> tuple[str, ...]:
        """Return the kinds of daemons that are restarted for a setting."""
        return restarted_kinds(self.settings)


HOST_DEFAULTS = PlannedTuning(None, "Host defaults")


@dataclass(frozen=True)
class PlannedBackground:
    """A load beside the test of a case.

    `step`: of the plan. `target`: None for that of the test. `value`: of the workload's parameter
    (apps.tools.background). `params`: canonical, with the duration of the step.
    """

    step: int
    tool: str
    params: Parameters
    label: str
    value: str
    target: PlannedTarget | None
    settle_seconds: float

    @property
    def key(self) -> tuple[str, tuple[str, int | str] | None]:
        return self.value, self.target.key if self.target else None


@dataclass(frozen=True)
class PlannedPlan:
    """A plan with its targets and tuning profiles, without a database.

    No tuning profile means host defaults. `baseline`: the profile that the others are compared
    with. `background_targets`: targets of background steps by their text, None for unknown ones.
    `failing`: the disk that a disturbance takes from its array; None if there is none.
    """

    spec: PlanSpec = EMPTY
    targets: tuple[PlannedTarget, ...] = ()
    tunings: tuple[PlannedTuning, ...] = ()
    baseline: PlannedTuning | None = None
    name: str = ""
    background_targets: Mapping[str, PlannedTarget | None] = field(default_factory=dict)
    failing: FailingDisk | None = None

    @property
    def measured_steps(self) -> list[int]:
        """Return the indexes of the steps that are measured."""
        return [index for index, step in enumerate(self.spec.steps) if not step.is_background]

    @property
    def in_files(self) -> bool:
        """Return True if every test on disks uses files of a new file system."""
        return all(tuning.makes_files for tuning in self.all_tunings)

    @property
    def all_tunings(self) -> tuple[PlannedTuning, ...]:
        return self.tunings or (HOST_DEFAULTS,)

    @property
    def baseline_tuning(self) -> PlannedTuning:
        return self.baseline or self.all_tunings[0]


@dataclass(frozen=True)
class PlannedCase:
    """One case before it is stored.

    `seconds`: expected, with ramp, settle time and overhead. `sequence` counts from 0 in order of
    execution; `repeat` from 1; `block` is the random block (from 1 if interleaved, else 0).
    `bytes_written`: without those of the background load; None if unknown before the run.
    `threads` are pinned to CPUs per disk if the profile pins. `programs` maps a host's id to
    required programs. `purpose`: MEASURE, or PRECONDITION for preconditioning, which belongs to no
    step.
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
    background: PlannedBackground | None = None

    @property
    def tool_params(self) -> Parameters:
        """Return the parameters of the tool."""
        return tool_params(self.params)

    @property
    def wipes_disk(self) -> bool:
        """Return True if it destroys data on a disk."""
        return self.writes and self.target.uses == "disk"


@dataclass(frozen=True)
class Problem:
    """A problem of a plan.

    `step` is the step's index from 0 and `field` its parameter. Without a step, `field` is one of
    the plan (targets, tunings, repeats, steps). `saving`: it prevents saving; otherwise only a
    launch.
    """

    message: str
    step: int | None = None
    field: str = ""
    saving: bool = True


@dataclass(frozen=True)
class Expansion:
    """The cases of everything that could be expanded, and the problems of the rest."""

    cases: tuple[PlannedCase, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Totals:
    """Number of cases, their total seconds, and the bytes that they write.

    `timed_seconds`: writing time of cases with unknown bytes. `bytes_written`: sum of known bytes.
    `open_ended`: number of cases whose bytes are unknown before the run.
    """

    cases: int = 0
    seconds: float = 0.0
    bytes_written: int = 0
    open_ended: int = 0
    timed_seconds: float = 0.0
    writing: int = 0

    @property
    def bytes_at_1_gib(self) -> int:
        """Return the bytes written by a device with 1 GiB/s."""
        return self.bytes_written + int(self.timed_seconds * 1024**3)


@dataclass(frozen=True)
class PlannedRestarts:
    """Daemons behind a target that a tuning profile restarts, one after another.

    `count`: restarts in the whole run; `seconds`: their expected time, part of the preview's.
    """

    tuning: str
    target: PlannedTarget
    daemons: tuple[str, ...]
    count: int
    seconds: float

    @property
    def daemons_text(self) -> str:
        """Return the daemons in a line; of many the first ones and the number of the others."""
        more = len(self.daemons) - MAX_DAEMON_NAMES
        if more < 2:
            return ", ".join(self.daemons)
        return ", ".join([*self.daemons[:MAX_DAEMON_NAMES], _("and %d more") % more])


@dataclass(frozen=True)
class PlannedWear:
    """What a launch costs one disk, without blocks that may be added.

    `bytes_written`: with timed cases at 1 GiB/s if `depends_on_speed`. `drive_writes`: times its
    capacity. `rated_percent`: of the bytes that its maker rates, `written_percent`: what hosts
    wrote of these until now; None: unknown. `hours`: of the cases that use it.
    """

    disk: int
    label: str
    bytes_written: int
    depends_on_speed: bool
    drive_writes: float | None
    rated_percent: float | None
    written_percent: float | None
    hours: float


@dataclass(frozen=True)
class Preview:
    """Cases, times and problems of a launch at present.

    `bytes_written` is None if a case's bytes are unknown. `max_totals`: totals with all
    blocks that may be added, None if none may. `loads`: the background load of each case that has
    one, as a case of its own.
    """

    cases: tuple[PlannedCase, ...]
    seconds: float
    bytes_written: int | None
    by_target: tuple[tuple[PlannedTarget, Totals], ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    advice: tuple[Advice, ...] = ()
    totals: Totals = field(default_factory=Totals)
    max_totals: Totals | None = None
    restarts: tuple[PlannedRestarts, ...] = ()
    loads: tuple[PlannedCase, ...] = ()
    wear: tuple[PlannedWear, ...] = ()

    @property
    def writes_disks(self) -> bool:
        """Return True if a launch destroys data on a disk."""
        return any(case.wipes_disk for case in (*self.cases, *self.loads))

    @property
    def only_preparation_writes(self) -> bool:
        """Return True if no measured case writes to a disk."""
        return not any(
            case.wipes_disk and case.purpose == MEASURE for case in (*self.cases, *self.loads)
        )
