"""Power of a host during a test, from the agent's power.log (docs/development/agent.md).

RAPL counts the energy of CPU packages, not of the host. DCMI is the BMC's reading of the whole
host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.tools.devices.log_lines import log_entries, number

LOG = "power.log"
MICRO = 1e-6
# A mean of fewer readings, or over fewer seconds, is not stated.
LEAST_READINGS = 3
LEAST_SECONDS = 10.0


@dataclass(frozen=True)
class PowerReading:
    """One line: `joules` of each CPU package since the first line, `watts` of the whole host.

    `monotonic`: seconds of the host's clock. `refusal`: why the BMC has no reading.
    """

    monotonic: float
    joules: Mapping[str, float] = field(default_factory=dict)
    watts: float | None = None
    refusal: str = ""


def read_log(data: bytes) -> list[PowerReading]:
    """Return the readings of a power.log, without invalid and unfinished lines."""
    readings = []
    for entry in log_entries(data):
        try:
            rapl = entry.get("rapl") or {}
            watts = entry.get("dcmi")
            reading = PowerReading(
                number(entry["monotonic"]),
                {str(name): number(value) * MICRO for name, value in rapl.items()},
                None if watts is None else number(watts),
                str(entry.get("refusal") or ""),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        readings.append(reading)
    return readings


def package_watts(readings: Sequence[PowerReading], begin: float, end: float) -> float | None:
    """Return the mean power of all CPU packages between two times; None if unknown."""
    rows = [one for one in readings if begin <= one.monotonic <= end and one.joules]
    if len(rows) < 2 or rows[-1].monotonic - rows[0].monotonic < LEAST_SECONDS:
        return None
    first, last = rows[0], rows[-1]
    if set(first.joules) != set(last.joules):
        return None
    spent = sum(last.joules[name] - first.joules[name] for name in first.joules)
    return spent / (last.monotonic - first.monotonic) if spent >= 0 else None


def host_watts(readings: Sequence[PowerReading], begin: float, end: float) -> float | None:
    """Return the mean of the BMC's readings between two times; None below three."""
    rows = [one.watts for one in readings if begin <= one.monotonic <= end]
    known = [watts for watts in rows if watts is not None]
    return sum(known) / len(known) if len(known) >= LEAST_READINGS else None
