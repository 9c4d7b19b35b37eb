"""Disk statistics reported by the tool (fio: disk_util), if benchlab did not sample devices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from apps.results.models import Measurement, Series
from apps.results.presenters.case import OperationFigures

NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class DeviceRow:
    """Device over the whole run. `utilisation` in percent, waits in ns, None if unknown."""

    name: str
    utilisation: float | None
    reads: float | None
    writes: float | None
    read_wait: float | None
    write_wait: float | None


def device_rows(figures: Iterable[OperationFigures], series: Iterable[Series]) -> list[DeviceRow]:
    """Return the devices of an attempt; empty if benchlab sampled them."""
    if any(each.source == Series.Source.DEVICE for each in series):
        return []
    return next((rows for result in figures if (rows := _rows(result.row.values))), [])


def reported_utilisations(cases: Iterable[int]) -> dict[int, float]:
    """Return the reported utilisation of the busiest device of each case, in percent."""
    rows = Measurement.objects.filter(case__in=set(cases), component="", values__has_key="disks")
    result: dict[int, float] = {}
    for case, disks in rows.values_list("case_id", "values__disks"):
        busy = [row.utilisation for row in _rows({"disks": disks}) if row.utilisation is not None]
        if busy:
            result[case] = max(result.get(case, 0.0), *busy)
    return result


def _rows(values: Mapping[str, object]) -> list[DeviceRow]:
    disks = values.get("disks")
    rows = disks if isinstance(disks, list) else []
    return [_row(disk) for disk in rows if isinstance(disk, dict)]


def _row(disk: Mapping[str, object]) -> DeviceRow:
    used = _number(disk.get("util"))
    reads, writes = _number(disk.get("read_ios")), _number(disk.get("write_ios"))
    return DeviceRow(
        name=f"{disk.get('host', '')} {disk.get('name', '')}".strip(),
        # Ends of the measurement are not those of fio's samples: it prints up to 100.1 %.
        utilisation=None if used is None else min(used, 100.0),
        reads=reads,
        writes=writes,
        read_wait=_wait(disk.get("read_ticks"), reads),
        write_wait=_wait(disk.get("write_ticks"), writes),
    )


def _wait(ticks: object, operations: float | None) -> float | None:
    """Return the mean wait in ns. Source: milliseconds of Documentation/block/stat.rst."""
    spent = _number(ticks)
    return spent / operations * NS_PER_MS if spent is not None and operations else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
