"""Figures of one phase of elbencho, common to the CSV and the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.tools.parse_result import Latency, Measurement
from apps.tools.values import Parameters, Values

MIB = 1024**2
US = 1000
# elbencho prints whole MiB/s, rounded down.
ROUNDING = 1.0


@dataclass(frozen=True)
class Rates:
    """Rates of one column: operations/s, MiB/s, and entries (files, directories, objects) per s."""

    iops: float | None = None
    mib: float | None = None
    entries: float | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.iops or self.mib or self.entries)


@dataclass(frozen=True)
class Phase:
    """One phase: rates up to the last and the first finisher; latencies in microseconds."""

    operation: str
    last: Rates
    first: Rates
    io_latency: Mapping[str, float] = field(default_factory=dict)
    entry_latency: Mapping[str, float] = field(default_factory=dict)


def measurement_of(phase: Phase, params: Parameters, more: Values) -> Measurement | None:
    """Return the measurement of a phase, None without a rate.

    IOPS are operations of one block; in phases without blocks, entries.
    """
    if phase.last.is_empty:
        return None
    moves_data = phase.last.iops is not None
    latency = phase.io_latency if moves_data else phase.entry_latency
    values: Values = {**more, "first_done": _values(phase.first, params)}
    if phase.last.entries is not None:
        values["entries_per_second"] = phase.last.entries
    if moves_data and phase.entry_latency:
        values["entry_latency"] = {k: v * US for k, v in phase.entry_latency.items()}
    return Measurement(
        operation=phase.operation,
        bandwidth=_bandwidth(phase.last, params),
        iops=phase.last.iops if moves_data else phase.last.entries,
        latency=Latency(
            min=_ns(latency.get("min")), mean=_ns(latency.get("avg")), max=_ns(latency.get("max"))
        ),
        params={"operation": phase.operation, **params},
        values=values,
    )


def _values(rates: Rates, params: Parameters) -> Values:
    values = {
        "iops": rates.iops,
        "bandwidth": _bandwidth(rates, params),
        "entries_per_second": rates.entries,
    }
    return {name: value for name, value in values.items() if value is not None}


def _bandwidth(rates: Rates, params: Parameters) -> float | None:
    """Return IOPS x block size, or the printed MiB/s if the two differ by more than rounding."""
    size = params.get("bs")
    if rates.mib is None:
        return None
    product = rates.iops * size / MIB if rates.iops and isinstance(size, int) else None
    exact = product is not None and -ROUNDING < product - rates.mib < 2 * ROUNDING
    return (product if exact and product is not None else rates.mib) * MIB


def _ns(microseconds: float | None) -> float | None:
    return None if microseconds is None else microseconds * US
