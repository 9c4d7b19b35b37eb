"""What is known about each repeat besides its result, as conditions that may explain it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from django.utils.translation import gettext as _

from apps.analysis.causes.kinds import TEXTS, Kind
from apps.analysis.causes.ranking import Condition, Value
from apps.analysis.repeats.repeats import LABELS, UNKNOWN

MATERIAL_SHARE = 0.1
"""Share of the test's own rate, of all CPUs or of the memory from which a load is large."""
MATERIAL_BYTES = 10 * 2**20
MATERIAL_DEGREES = 5.0
MATERIAL_TASKS = 2.0
MATERIAL_OVERLAP = 0.25
MAX_DETAILS = 5
SCHEDULER = "scheduler"


@dataclass(frozen=True)
class Observation:
    """What is known of one repeat; None and absent keys are unknown.

    Rates are in bytes/s, CPU loads in percent of all CPUs. `own_rate`: of the tool itself.
    `device_rate`: of the disks under test by their own counters. `neighbours`: share of the test
    during which another run used the same resource: "bus", "host", "storage" or "network".
    `requested`: settings of the tuning profile.
    """

    key: int
    run: int = 0
    properties: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    requested: frozenset[str] = frozenset()
    warnings: Mapping[str, str] = field(default_factory=dict)
    kernel_errors: int | None = None
    kernel_lines: tuple[str, ...] = ()
    io_limits: tuple[str, ...] | None = None
    throttle_count: int | None = None
    steal_percent: float | None = None
    cpu_wait_percent: float | None = None
    runnable: float | None = None
    other_disks_rate: float | None = None
    other_disks: tuple[str, ...] = ()
    own_rate: float | None = None
    device_rate: float | None = None
    other_cpu: float | None = None
    temperature: float | None = None
    disk_temperature: float | None = None
    memory_used: float | None = None
    memory: float | None = None
    network_rate: float | None = None
    neighbours: Mapping[str, float] | None = None
    neighbour_runs: tuple[int, ...] = ()
    is_first: bool | None = None

    @property
    def other_disk_rate(self) -> float | None:
        """Return the rate of the disks under test beyond the tool's own."""
        if self.device_rate is None or self.own_rate is None:
            return None
        return max(0.0, self.device_rate - self.own_rate)


def conditions_of_repeats(
    observations: Sequence[Observation], *, without: frozenset[str] = frozenset()
) -> list[Condition]:
    """Return every condition that varies. `without`: properties that belong to the factor."""
    every = (
        *_numbers(observations),
        *_categories(observations, without),
        *_neighbours(observations),
    )
    return [one for one in every if len(set(one.values.values())) > 1]


def _numbers(rows: Sequence[Observation]) -> Iterator[Condition]:
    own = [one.own_rate for one in rows if one.own_rate]
    memory = [one.memory for one in rows if one.memory]
    share = MATERIAL_SHARE * 100
    io, ram = (MATERIAL_SHARE * median(each) if each else 0.0 for each in (own, memory))
    yield _number(rows, Kind.DISK_LOAD, "", "bytes/s", io, lambda o: o.other_disk_rate)
    yield _number(
        rows,
        Kind.OTHER_DISKS,
        "",
        "bytes/s",
        max(io, MATERIAL_BYTES),
        lambda o: o.other_disks_rate,
        _details(rows, lambda o: o.other_disks),
    )
    yield _number(rows, Kind.CPU_LOAD, "", "%", share, lambda o: o.other_cpu)
    waiting, queue = _("Tasks waited for a CPU"), _("Tasks that run or wait for a CPU")
    yield _number(rows, Kind.CPU_LOAD, waiting, "%", share, lambda o: o.cpu_wait_percent)
    yield _number(rows, Kind.CPU_LOAD, queue, "", MATERIAL_TASKS, lambda o: o.runnable)
    yield _number(rows, Kind.STEAL, "", "%", 1.0, lambda o: o.steal_percent)
    yield _number(rows, Kind.THROTTLING, "", "", 1.0, lambda o: o.throttle_count)
    yield _number(rows, Kind.TEMPERATURE, "", "°C", MATERIAL_DEGREES, lambda o: o.temperature)
    yield _number(
        rows,
        Kind.TEMPERATURE,
        _("of the disk"),
        "°C",
        MATERIAL_DEGREES,
        lambda o: o.disk_temperature,
    )
    yield _number(rows, Kind.MEMORY, "", "bytes", ram, lambda o: o.memory_used)
    yield _number(rows, Kind.NETWORK_LOAD, "", "bytes/s", MATERIAL_BYTES, lambda o: o.network_rate)


def _number(
    rows: Sequence[Observation],
    kind: Kind,
    name: str,
    unit: str,
    material: float,
    value: Callable[[Observation], float | None],
    details: tuple[str, ...] = (),
) -> Condition:
    values: dict[int, Value] = {}
    for one in rows:
        known = value(one)
        if known is not None:
            values[one.key] = known
    return Condition(kind, name or str(TEXTS[kind].label), values, material, unit, details)


def _categories(rows: Sequence[Observation], without: frozenset[str]) -> Iterator[Condition]:
    yield from _with_scheduler(
        [_category(Kind.SETTING, name, rows, _setting(name)) for name in _settings(rows, without)]
    )
    for name in (name for name in LABELS if name not in without):
        label = str(LABELS[name])
        yield _category(Kind.CONFIGURATION, label, rows, _property(name))
    for key in dict.fromkeys(key for one in rows for key in one.warnings):
        text = next(one.warnings[key] for one in rows if key in one.warnings)
        yield _flag(Kind.WARNING, text, rows, _has_warning(key))
    yield _flag(
        Kind.KERNEL_ERRORS,
        "",
        rows,
        lambda o: None if o.kernel_errors is None else o.kernel_errors > 0,
        _details(rows, lambda o: o.kernel_lines),
    )
    yield _category(
        Kind.IO_LIMIT,
        str(TEXTS[Kind.IO_LIMIT].label),
        rows,
        lambda o: None if o.io_limits is None else ", ".join(o.io_limits) or _("none"),
    )
    yield _flag(Kind.FIRST_REPEAT, "", rows, lambda o: o.is_first)


def _setting(name: str) -> Callable[[Observation], str | None]:
    return lambda one: one.settings.get(name)


def _property(name: str) -> Callable[[Observation], str | None]:
    return lambda one: _known(one.properties.get(name))


def _has_warning(key: str) -> Callable[[Observation], bool]:
    return lambda one: key in one.warnings


def _settings(rows: Sequence[Observation], without: frozenset[str]) -> list[str]:
    """Return the settings that do not belong to the factor.

    A scheduler of a compared tuning resets the other values of the queue.
    """
    names = dict.fromkeys(name for one in rows for name in one.settings)
    if "tuning" not in without:
        return list(names)
    requested = frozenset().union(*(one.requested for one in rows))
    if SCHEDULER in requested:
        return []
    return [name for name in names if name not in requested]


def _with_scheduler(settings: Sequence[Condition]) -> list[Condition]:
    """Return the settings; those that follow the scheduler are its details.

    A scheduler brings its own values of the queue, so they are one condition.
    """
    scheduler = next((one for one in settings if one.name == SCHEDULER), None)
    if scheduler is None or len(set(scheduler.values.values())) < 2:
        return list(settings)
    follow = [one for one in settings if one is not scheduler and _follows(one, scheduler)]
    details = tuple(
        f"{one.name}: {' / '.join(sorted({str(value) for value in one.values.values()}))}"
        for one in follow
    )
    rest = [one for one in settings if one is not scheduler and one not in follow]
    return [replace(scheduler, details=details[:MAX_DETAILS]), *rest]


def _follows(setting: Condition, scheduler: Condition) -> bool:
    """Return True if the setting varies, and has one value for each scheduler."""
    pairs = {(scheduler.values.get(key), value) for key, value in setting.values.items()}
    values = set(setting.values.values())
    return len(values) > 1 and len({first for first, _value in pairs}) == len(pairs)


def _neighbours(rows: Sequence[Observation]) -> Iterator[Condition]:
    names = {
        "bus": _("Another run on the same controller or PCIe root port"),
        "host": _("Another run on the same host"),
        "storage": _("Another run on the same storage system"),
        "network": _("Another run that uses the network; shared switches are unknown"),
    }
    runs = tuple(dict.fromkeys(run for one in rows for run in one.neighbour_runs))
    details = tuple(_("run {n}").format(n=run) for run in runs[:MAX_DETAILS])
    for key, label in names.items():
        known = {one.key: one.neighbours for one in rows if one.neighbours is not None}
        if any(key in shares for shares in known.values()):
            values = {pk: shares.get(key, 0.0) for pk, shares in known.items()}
            yield Condition(Kind.NEIGHBOUR, label, values, MATERIAL_OVERLAP, "share", details)


def _known(value: str | None) -> str | None:
    return None if value in (None, "", UNKNOWN) else value


def _category(
    kind: Kind, name: str, rows: Sequence[Observation], value: Callable[[Observation], str | None]
) -> Condition:
    return Condition(
        kind, name, {one.key: known for one in rows if (known := value(one)) is not None}
    )


def _flag(
    kind: Kind,
    name: str,
    rows: Sequence[Observation],
    value: Callable[[Observation], bool | None],
    details: tuple[str, ...] = (),
) -> Condition:
    """Return a condition that is there or not; only its presence may explain slow repeats."""
    values = {one.key: float(known) for one in rows if (known := value(one)) is not None}
    return Condition(kind, name or str(TEXTS[kind].label), values, unit="flag", details=details)


def _details(
    rows: Sequence[Observation], value: Callable[[Observation], Sequence[str]]
) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for one in rows for text in value(one)))[:MAX_DETAILS]
