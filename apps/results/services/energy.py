"""Energy of a test: power during its measuring command, divided by its rates.

Power times the command's time over its bytes equals mean power over mean rate, which leaves out
ramp times on both sides. Two sources, never mixed: the BMC's reading of the whole host, and RAPL's
counters of CPU packages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from apps.plans.domain.energy import ENERGY_MIN_SECONDS
from apps.results.selectors.jobs import DoneJob, Files
from apps.tools.devices.power import PowerReading, host_watts, package_watts, read_log
from apps.tools.messages import join_messages, message
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.translation import gettext_noop

Mean = Callable[[Sequence[PowerReading], float, float], float | None]
SOURCES: Mapping[str, Mean] = {"host": host_watts, "cpu": package_watts}
GIB, MILLION = float(1 << 30), 1e6
# Operations that share a command ran side by side if each took this part of it.
SIDE_BY_SIDE = 0.6
REFUSALS = {
    "no-program": gettext_noop("%(host)s has no ipmitool, which reads the BMC"),
    "no-device": gettext_noop("%(host)s has no BMC in its kernel's list"),
    "unsupported": gettext_noop("the BMC of %(host)s does not report the power (DCMI, code c1)"),
    "inactive": gettext_noop("the BMC of %(host)s does not measure the power (DCMI)"),
    "failed": gettext_noop("the BMC of %(host)s did not answer ipmitool"),
}
NO_RAPL = gettext_noop("%(host)s has no energy counters of CPU packages (RAPL) that it may read")


def energy_figures(
    parsed: Parsed, jobs: Sequence[DoneJob], logs: Mapping[int, Sequence[PowerReading]]
) -> tuple[dict[str, float], str]:
    """Return the values by metric, and the reason why some are missing.

    `logs`: the readings by the job's position in `jobs`.
    """
    measuring = {
        number: job
        for number, job in enumerate(jobs)
        if job.spec.get("power") and job.exit.get("times")
    }
    if not measuring:
        return {}, message(
            "energy is measured in tests of %(seconds)d s or more", seconds=ENERGY_MIN_SECONDS
        )
    figures: dict[str, float] = {}
    reasons: list[str] = []
    bandwidth, operations, why = _rates(parsed, measuring.values())
    for source, mean in SOURCES.items():
        watts, idle, refusal = _watts(measuring, logs, mean, source)
        if watts is None:
            reasons.append(refusal)
            continue
        figures[f"{source}_watts"] = watts
        if idle is not None:
            figures[f"{source}_idle_watts"] = idle
        if bandwidth:
            figures[f"{source}_joules_per_gib"] = watts / (bandwidth / GIB)
        if operations:
            figures[f"{source}_joules_per_million_operations"] = watts / operations * MILLION
    return figures, join_messages(*dict.fromkeys([*reasons, *([why] if why else [])]))


def read_logs(
    jobs: Sequence[DoneJob], files: Files, name: Callable[[DoneJob], str]
) -> dict[int, list[PowerReading]]:
    """Return the readings of the jobs that log power, by position. `name`: of a job's log."""
    return {
        number: read_log(files.get(job.prefix + name(job), b""))
        for number, job in enumerate(jobs)
        if job.spec.get("power")
    }


def _watts(
    jobs: Mapping[int, DoneJob],
    logs: Mapping[int, Sequence[PowerReading]],
    mean: Mean,
    source: str,
) -> tuple[float | None, float | None, str]:
    """Return power and idle power of all hosts together; None without those of every host.

    A host with several jobs counts with the longest command of them.
    """
    longest: dict[int, tuple[int, float, float]] = {}
    for number, job in jobs.items():
        begin, end = _window(job)
        if job.host not in longest or end - begin > longest[job.host][2] - longest[job.host][1]:
            longest[job.host] = number, begin, end
    total, idle_total = 0.0, 0.0
    has_idle = True
    for number, begin, end in longest.values():
        readings = logs.get(number, ())
        watts = mean(readings, begin, end)
        if watts is None:
            return None, None, _refusal(jobs[number], readings, source)
        started = jobs[number].exit.get("started")
        first = float(started["monotonic"]) if started else begin
        idle = mean(readings, 0.0, first)
        total += watts
        idle_total += idle or 0.0
        has_idle = has_idle and idle is not None
    return total, idle_total if has_idle else None, ""


def _window(job: DoneJob) -> tuple[float, float]:
    begin, end = max(job.exit.get("times") or [], key=lambda span: span[1] - span[0])
    return float(begin), float(end)


def _refusal(job: DoneJob, readings: Sequence[PowerReading], source: str) -> str:
    host = job.name or job.host_name
    if source == "cpu":
        return message(NO_RAPL, host=host)
    kind = next((one.refusal for one in readings if one.refusal), "failed")
    return message(REFUSALS.get(kind, REFUSALS["failed"]), host=host)


def _rates(parsed: Parsed, jobs: Collection[DoneJob]) -> tuple[float, float, str]:
    """Return bytes/s and operations/s of all operations together, or the reason against it."""
    wholes = [
        one for one in parsed.measurements if not one.component and one.bandwidth and one.iops
    ]
    if not wholes:
        return 0.0, 0.0, message("the tool reports no rates")
    spans = [_window(job) for job in jobs]
    seconds = max(end - begin for begin, end in spans)
    if len(wholes) > 1 and any(_seconds(one) < SIDE_BY_SIDE * seconds for one in wholes):
        return 0.0, 0.0, message("its operations ran one after another, the power is of all")
    moving = [one for one in wholes if one.operation != "trim"]
    return sum(one.bandwidth or 0.0 for one in moving), sum(one.iops or 0.0 for one in wholes), ""


def _seconds(one: Measurement) -> float:
    """Return how long an operation ran, by its bytes and its rate; 0 if unknown."""
    moved = one.values.get("io_bytes", one.values.get("bytes"))
    return float(moved) / one.bandwidth if isinstance(moved, int | float) and one.bandwidth else 0.0
