"""One direction (read, write, trim) of one job in fio's JSON -> figures in canonical units.

fio 3.x gives nanoseconds (`clat_ns`) and bytes (`io_bytes`, `bw_bytes`); 2.x gives microseconds
(`clat`) and KiB (`io_bytes`, `bw`); see HOWTO, "JSON output". Bins of 2.x are numbered, those of
3.x carry their value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.tools.base import JSON, Latency
from apps.tools.histogram import LAST_INDEX, bin_index, bin_value
from apps.tools.text import count, number

OPERATIONS = ("read", "write", "trim")
MAX_BINS = 4096
_SAMPLES = ("min", "max", "mean", "dev", "stddev", "samples")


@dataclass(frozen=True)
class Phase:
    """One of fio's three latencies: slat (submission), clat (completion) or lat (total), in
    nanoseconds."""

    latency: Latency = field(default_factory=Latency)
    operations: int = 0
    bins: Mapping[int, int] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether anything was recorded at all."""
        return bool(self.operations or self.latency.max)


@dataclass(frozen=True)
class Part:
    """What one job did in one direction."""

    job: str
    operations: int
    transferred: int
    runtime: float
    bandwidth: float | None
    iops: float | None
    phases: Mapping[str, Phase]
    values: JSON

    @property
    def total(self) -> Phase:
        """Total latency where fio recorded it, else completion latency."""
        return self.phases["lat"] if self.phases["lat"].known else self.phases["clat"]

    @property
    def percentiles_of(self) -> str | None:
        """Which latency fio's percentiles describe: total if it has them, else completion."""
        for name in ("lat", "clat"):
            if self.phases[name].latency.percentiles or self.phases[name].bins:
                return name
        return None

    @property
    def bins(self) -> Mapping[int, int]:
        """Bin value in ns -> operations, of the latency that `percentiles_of` names."""
        return self.phases[self.percentiles_of].bins if self.percentiles_of else {}

    @property
    def percentiles(self) -> Mapping[str, float]:
        """fio's own percentiles in ns."""
        name = self.percentiles_of
        return self.phases[name].latency.percentiles if name else {}

    @property
    def latency(self) -> Latency:
        """What a measurement shows as latency."""
        whole = self.total.latency
        return Latency(whole.min, whole.mean, whole.max, whole.stddev, self.percentiles)


def read_part(job: str, raw: Any) -> Part | None:
    """A direction of a job; None where it did nothing."""
    if not isinstance(raw, dict):
        return None
    scale = 1 if "io_kbytes" in raw or "bw_bytes" in raw else 1024
    transferred = count(raw.get("io_bytes")) * scale
    operations = count(raw.get("total_ios"))
    if not operations and not transferred:
        return None
    runtime = count(raw.get("runtime")) / 1000
    binned = next((name for name in ("lat", "clat") if _has_bins(raw, name)), None)
    phases = {name: _phase(raw, name, name == binned) for name in ("slat", "clat", "lat")}
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


def _bandwidth(raw: JSON, transferred: int, runtime: float) -> float | None:
    """Bytes per second: fio's own bytes where it prints them, else exact from bytes and time."""
    own = number(raw.get("bw_bytes"))
    if own is not None:
        return own
    if transferred and runtime:
        return transferred / runtime
    printed = number(raw.get("bw"))
    return None if printed is None else printed * 1024


def _has_bins(raw: JSON, name: str) -> bool:
    phase = raw.get(f"{name}_ns", raw.get(name))
    return isinstance(phase, dict) and bool(phase.get("bins"))


def _phase(raw: JSON, name: str, with_bins: bool) -> Phase:
    unit, text = (1, raw.get(f"{name}_ns")) if f"{name}_ns" in raw else (1000, raw.get(name))
    if not isinstance(text, dict):
        return Phase()
    smallest, mean, largest, stddev = (
        _scaled(text.get(key), unit) for key in ("min", "mean", "max", "stddev")
    )
    percentiles = _percentiles(text.get("percentile"), unit)
    bins = _bins(text.get("bins"), unit) if with_bins else {}
    operations = count(text.get("N")) or sum(bins.values())
    if not operations and not largest:
        return Phase()
    return Phase(Latency(smallest, mean, largest, stddev, percentiles), operations, bins)


def _scaled(value: object, unit: int) -> float | None:
    known = number(value)
    return None if known is None else known * unit


def _percentiles(raw: object, unit: int) -> dict[str, float]:
    """{"99.900000": 180224} -> {"99.9": 180224.0}; fio 2.x fills unused places with "0.00"."""
    found: dict[str, float] = {}
    for key, value in list(raw.items())[:100] if isinstance(raw, dict) else ():
        percentage, latency = _to_float(key), _scaled(value, unit)
        if percentage is not None and latency is not None and 0 < percentage <= 100:
            found[f"{percentage:.6f}".rstrip("0").rstrip(".")] = latency
    return found


def _to_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _bins(raw: object, unit: int) -> dict[int, int]:
    if not isinstance(raw, dict) or len(raw) > MAX_BINS:
        return {}
    numbered = "FIO_IO_U_PLAT_BITS" in raw
    if unit == 1 and not numbered and set(map(type, raw.values())) == {int}:
        try:
            return dict(zip(map(int, raw), map(int, raw.values()), strict=True))
        except ValueError:
            pass
    bins: dict[int, int] = {}
    for key, value in raw.items():
        operations = count(value)
        if operations and key.isdecimal() and len(key) < 19:
            name = _bin_name(int(key), unit, numbered)
            bins[name] = bins.get(name, 0) + operations
    return bins


def _bin_name(key: int, unit: int, numbered: bool) -> int:
    value = bin_value(min(key, LAST_INDEX)) if numbered else key
    return value if unit == 1 else bin_value(bin_index(value * unit))


def _samples(raw: JSON) -> JSON:
    """fio's own samples over time (one each half second by default): bandwidth in bytes/s, IOPS in
    1/s."""
    values: JSON = {}
    for prefix, label, scale in (("bw", "bandwidth", 1024), ("iops", "iops", 1)):
        for name in _SAMPLES:
            known = number(raw.get(f"{prefix}_{name}"))
            if known is not None and count(raw.get(f"{prefix}_max")):
                plain = "stddev" if name == "dev" else name
                values[f"{label}_{plain}"] = known if name == "samples" else known * scale
    for name in ("short_ios", "drop_ios"):
        if count(raw.get(name)):
            values[name] = count(raw[name])
    return values
