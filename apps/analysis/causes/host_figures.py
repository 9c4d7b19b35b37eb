"""Figures of the hosts of one attempt, from its series and the exits of its jobs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from apps.remote.host_conditions import HostConditions
from apps.remote.responses import Exit, exit_timestamp

HOST = "host"
MAX_NAMES = 3
"""Limit of named disks of a host: the busiest."""
_WORST: tuple[Literal["steal_percent", "cpu_wait_percent", "runnable"], ...] = (
    "steal_percent",
    "cpu_wait_percent",
    "runnable",
)


@dataclass(frozen=True)
class HostFigures:
    """Means of series by source and metric, one for each subject; of temperatures the maxima."""

    series: Mapping[tuple[str, str], Sequence[float]]

    def sum(self, source: str, metrics: Sequence[str]) -> float | None:
        """Return the sum over metrics and subjects; None without any."""
        values = [value for name in metrics for value in self.series.get((source, name), ())]
        return sum(values) if values else None

    def highest(self, metric: str) -> float | None:
        """Return the highest value over hosts and sensors; None without any."""
        return max(self.series.get((HOST, metric), ()), default=None)

    def other_cpu(self, cpus: int | None) -> float | None:
        """Return the CPU load of other processes in percent of all CPUs.

        None with several hosts, whose numbers of CPUs may differ.
        """
        whole, tool = (
            self.series.get((HOST, "host_cpu"), ()),
            self.series.get((HOST, "generator_cpu"), ()),
        )
        if cpus is None or len(whole) != 1 or len(tool) != 1:
            return None
        return max(0.0, whole[0] - tool[0] / cpus)


class Reported(TypedDict, total=False):
    """Fields of an observation that the agent reports."""

    kernel_errors: int
    kernel_lines: tuple[str, ...]
    io_limits: tuple[str, ...]
    throttle_count: int
    steal_percent: float
    cpu_wait_percent: float
    runnable: float
    other_disks_rate: float
    other_disks: tuple[str, ...]
    disk_temperature: float


def reported_conditions(exits: Sequence[Exit]) -> Reported:
    """Return the conditions of all hosts of an attempt; what no host reports is absent.

    Of shares and queues that of the busiest host; errors, throttles and bytes of all together.
    """
    known = [(one["conditions"], _seconds(one)) for one in exits if one.get("conditions")]
    result = _errors_and_limits([one for one, _seconds in known])
    for name in _WORST:
        if values := [n for one, _s in known if (n := one.get(name)) is not None]:
            result[name] = max(values)
    if rates := [_moved(one) / seconds for one, seconds in known if seconds]:
        result["other_disks_rate"] = sum(rates)
        result["other_disks"] = tuple(
            name for one, _s in known for name in list(one.get("other_disks", {}))[:MAX_NAMES]
        )
    if degrees := _degrees(exits):
        result["disk_temperature"] = max(degrees)
    return result


def _errors_and_limits(known: Sequence[HostConditions]) -> Reported:
    result = Reported()
    if errors := [reported for one in known if (reported := one.get("kernel_errors"))]:
        result["kernel_errors"] = sum(one["count"] for one in errors)
        result["kernel_lines"] = tuple(line for one in errors for line in one["lines"])
    if known:
        limits = {limit for one in known for limit in one.get("io_limits", ())}
        result["io_limits"] = tuple(sorted(limits))
    if throttles := [n for one in known if (n := one.get("throttle_count")) is not None]:
        result["throttle_count"] = sum(throttles)
    return result


def _seconds(ended: Exit) -> float:
    """Return the duration of the commands; 0 if it is unknown."""
    start = exit_timestamp(ended, "started", "monotonic")
    end = exit_timestamp(ended, "ended", "monotonic")
    return max(0.0, end - start) if start is not None and end is not None else 0.0


def _moved(conditions: HostConditions) -> int:
    return sum(sum(both) for both in conditions.get("other_disks", {}).values())


def _degrees(exits: Sequence[Exit]) -> list[float]:
    """Return the temperatures of the disks after the test."""
    disks = [disk for one in exits for disk in (one.get("smart") or {}).values()]
    return [float(n) for disk in disks if isinstance(n := disk.get("degrees"), int | float)]
