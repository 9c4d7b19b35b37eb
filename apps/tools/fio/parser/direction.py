"""Parser of one direction (read, write, trim) of one job in fio's document.

Figures are in canonical units. fio 3.x prints nanoseconds (`clat_ns`) and bytes (`io_bytes`,
`bw_bytes`); 2.x prints microseconds (`clat`) and KiB (`io_bytes`, `bw`); see HOWTO, "JSON output".
Bins of 2.x are numbered, those of 3.x have their value as key. `syncs.py` parses syncs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from apps.tools.histogram import LAST_INDEX, bin_index, bin_value
from apps.tools.parse_result import Latency
from apps.tools.text import count, number
from apps.tools.values import Decoded, Values

from .bins.bins import EMPTY, MAX_BINS, MAX_COUNT, Bins, from_mapping

OPERATIONS = ("read", "write", "trim")
MIXED = "mixed"  # all directions together (unified_rw_reporting)
SYNC = "sync"
MAX_PERCENTILES = 100
_NO_LATENCY = Latency()
_NEW = ("io_kbytes", "bw_bytes", "slat_ns", "clat_ns", "lat_ns")  # printed from 3.0 on


def _sample_names(prefix: str, label: str, scale: int) -> tuple[tuple[str, str, int], ...]:
    """Return fio's name, our name and the factor of fio's unit.

    Bandwidth has a "dev", IOPS a "stddev".
    """
    names = {"min": "min", "max": "max", "mean": "mean", "dev": "stddev", "stddev": "stddev"}
    figures = [(f"{prefix}_{name}", f"{label}_{ours}", scale) for name, ours in names.items()]
    return (*figures, (f"{prefix}_samples", f"{label}_samples", 1))


# Samples are ignored unless their maximum is above zero.
_SAMPLES = {
    "bw_max": _sample_names("bw", "bandwidth", 1024),
    "iops_max": _sample_names("iops", "iops", 1),
}


@dataclass(slots=True)
class Phase:
    """One of fio's latencies in ns: slat (submission), clat (completion) or lat (total)."""

    latency: Latency = _NO_LATENCY
    operations: int = 0
    bins: Bins = EMPTY

    @property
    def is_recorded(self) -> bool:
        """Return True if any latency was recorded."""
        latency = self.latency
        return bool(
            self.operations or latency.max or latency.mean or any(latency.percentiles.values())
        )


NOTHING = Phase()


@dataclass(slots=True)
class Part:
    """Figures of one job in one direction; `client`: its host, if there are several."""

    job: str
    operations: int
    transferred: int
    runtime: float
    bandwidth: float | None
    iops: float | None
    phases: Mapping[str, Phase]
    values: Values
    client: str = ""

    @property
    def total(self) -> Phase:
        """Return the total latency, or the completion latency if fio did not record it."""
        return self.phases["lat"] if self.phases["lat"].is_recorded else self.phases["clat"]

    @property
    def percentiles_of(self) -> str | None:
        """Return the latency with percentiles: total if it has them, else completion."""
        for name in ("lat", "clat"):
            if self.phases[name].latency.percentiles or self.phases[name].bins:
                return name
        return None

    @property
    def bins(self) -> Bins:
        """Return operations by latency, of the phase `percentiles_of`."""
        return self.phases[self.percentiles_of].bins if self.percentiles_of else EMPTY

    @property
    def percentiles(self) -> Mapping[str, float]:
        """Return fio's own percentiles in ns."""
        name = self.percentiles_of
        return self.phases[name].latency.percentiles if name else {}

    @property
    def latency(self) -> Latency:
        """Return the latency of the measurement."""
        whole = self.total.latency
        return Latency(whole.min, whole.mean, whole.max, whole.stddev, self.percentiles)


def directions_of(job: Decoded) -> dict[str, Decoded]:
    """Return the directions of a job, or their sum if fio did not print them separately."""
    directions = {name: raw for name in OPERATIONS if isinstance(raw := job.get(name), dict)}
    mixed = job.get(MIXED)
    return directions or ({MIXED: mixed} if isinstance(mixed, dict) else {})


def read_part(job: str, raw: Any) -> Part | None:
    """Return a direction of a job; None if it has no I/O."""
    if not isinstance(raw, dict):
        return None
    transferred = count(raw.get("io_bytes")) * _unit_of_bytes(raw)
    operations = count(raw.get("total_ios"))
    # fio counts a failed operation as issued, without any other figure.
    failed = not operations or ("iops" in raw and not number(raw["iops"]))
    if failed and not transferred:
        return None
    runtime = count(raw.get("runtime")) / 1000
    binned = next((name for name in ("lat", "clat") if _has_bins(raw, name)), None)
    phases = {name: read_phase(raw, name, name == binned) for name in ("slat", "clat", "lat")}
    return Part(
        job=job,
        operations=operations or max(phase.operations for phase in phases.values()),
        transferred=transferred,
        runtime=runtime,
        bandwidth=_bandwidth(raw, transferred, runtime),
        iops=number(raw.get("iops")),
        phases=phases,
        values=_samples(raw),
    )


def _unit_of_bytes(raw: Decoded) -> int:
    """Return the unit of `io_bytes` in bytes: 1 from 3.0 on, before 1024."""
    if any(name in raw for name in _NEW):
        return 1
    transferred, rate, runtime = (count(raw.get(name)) for name in ("io_bytes", "bw", "runtime"))
    return 1 if transferred and rate and runtime and transferred > rate * runtime else 1024


def _bandwidth(raw: Decoded, transferred: int, runtime: float) -> float | None:
    """Return bytes/s: `bw_bytes` if fio prints it, else computed from bytes and time."""
    printed_bytes = number(raw.get("bw_bytes"))
    if printed_bytes is not None:
        return printed_bytes
    if transferred and runtime:
        return transferred / runtime
    printed = number(raw.get("bw"))
    return None if printed is None else printed * 1024


def _has_bins(raw: Decoded, name: str) -> bool:
    phase = raw.get(f"{name}_ns", raw.get(name))
    return isinstance(phase, dict) and bool(phase.get("bins"))


def read_phase(raw: Decoded, name: str, with_bins: bool) -> Phase:
    """Return one of the three latencies of a direction."""
    unit, text = (1, raw.get(f"{name}_ns")) if f"{name}_ns" in raw else (1000, raw.get(name))
    if not isinstance(text, dict):
        return NOTHING
    bins = _bins(text.get("bins"), unit) if with_bins else EMPTY
    operations = count(text.get("N")) or (bins.operations if bins else 0)
    latency = Latency(
        _scaled(text.get("min"), unit),
        _scaled(text.get("mean"), unit),
        _scaled(text.get("max"), unit),
        _scaled(text.get("stddev"), unit),
        _percentiles(text.get("percentile"), unit),
    )
    phase = Phase(latency, operations, bins)
    return phase if phase.is_recorded else NOTHING


def _scaled(value: object, unit: int) -> float | None:
    parsed = number(value)
    return parsed if parsed is None or unit == 1 else parsed * unit


def _percentiles(raw: object, unit: int) -> Mapping[str, float]:
    """Return {"99.900000": 180224} as {"99.9": 180224.0}.

    fio 2.x fills unused entries with "0.00".
    """
    if not isinstance(raw, dict):
        return {}
    names = _percentile_names(tuple(raw)[:MAX_PERCENTILES])
    if unit == 1 and len(names) == len(raw) and _are_small(raw.values()):
        return dict(zip(names.values(), raw.values(), strict=True))
    result: dict[str, float] = {}
    for key, name in names.items():
        latency = _scaled(raw[key], unit)
        if latency is not None:
            result[name] = latency
    return result


def _are_small(values: Collection[Any]) -> bool:
    """Return True if all are plain integers that need no conversion."""
    return set(map(type, values)) == {int} and max(values) < MAX_COUNT and min(values) >= 0


@lru_cache(maxsize=64)  # the jobs of a document have the same keys
def _percentile_names(keys: tuple[str, ...]) -> Mapping[str, str]:
    """Return fio's keys that are percentages -> our names."""
    names = {key: _percentile_name(key) for key in keys}
    return {key: name for key, name in names.items() if name is not None}


def _percentile_name(key: str) -> str | None:
    percentage = _to_float(key)
    if percentage is None or not 0 < percentage <= 100:
        return None
    return f"{percentage:.6f}".rstrip("0").rstrip(".")


def _to_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _bins(raw: object, unit: int) -> Bins:
    if isinstance(raw, Bins):
        return raw
    if not isinstance(raw, dict) or len(raw) > MAX_BINS:
        return EMPTY
    numbered = "FIO_IO_U_PLAT_BITS" in raw
    bins: dict[int, int] = {}
    for key, value in raw.items():
        operations = count(value)
        if operations and key.isdecimal() and len(key) < 19:
            name = _bin_name(int(key), unit, numbered)
            bins[name] = bins.get(name, 0) + operations
    return from_mapping(bins)


def _bin_name(key: int, unit: int, numbered: bool) -> int:
    value = bin_value(min(key, LAST_INDEX)) if numbered else key
    return value if unit == 1 else bin_value(bin_index(value * unit))


def _samples(raw: Decoded) -> Values:
    """Return fio's samples over time, every 0.5 s by default: bandwidth in bytes/s, IOPS in 1/s."""
    values: Values = {}
    for maximum_name, names in _SAMPLES.items():
        if not count(raw.get(maximum_name)):
            continue
        for name, label, scale in names:
            if name in raw and (value := number(raw[name])) is not None:
                values[label] = value * scale
    for name in ("short_ios", "drop_ios"):
        if count(raw.get(name)):
            values[name] = count(raw[name])
    return values
