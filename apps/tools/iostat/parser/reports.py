"""Convert the reports of a recording to one measurement for each device and operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from apps.tools.parse_result import Completeness, Latency, Measurement, Series
from apps.tools.values import Values

from .columns import DeviceValues

MAX_REPORTS = 100_000
MAX_DEVICES = 4_096
SPARSEST = 20  # reports per report with the device
OPERATIONS = ("read", "write")
SHARED = ("utilisation", "queue", "await", "service_time", "transfers")
OWN = ("merged", "merged_share")
OTHERS = ("discard_iops", "discard_bandwidth", "flush_iops", "flush_await")


NO_FIGURES = "There is no device report of iostat in this output."
SHARED_ONLY = "These reports do not tell reads from writes (iostat -s)."
BOOT = "The first report covers the time since boot and is not part of the figures."
ONLY_BOOT = "The only report covers the time since boot."
NO_INTERVAL = "The text does not say the interval: one second is assumed."


@dataclass
class Reports:
    """Reports of one recording, in order: device -> values.

    - `boot`: the first report covers the time since boot.
    - `interval`: seconds; None if unknown.
    - `host`: host name in the first line.
    - `first`, `last`: line numbers from 1.
    - `completeness`: None if the text does not determine it.
    """

    rows: list[dict[str, DeviceValues]] = field(default_factory=list)
    boot: bool = False
    interval: float | None = None
    host: str = ""
    first: int = 0
    last: int = 0
    completeness: Completeness | None = None
    remarks: tuple[str, ...] = ()

    def at(self, number: int) -> None:
        """Extend the line range by a line."""
        self.first = self.first or number
        self.last = number

    def begin(self) -> None:
        """Begin a new report."""
        if (not self.rows or self.rows[-1]) and len(self.rows) < MAX_REPORTS:
            self.rows.append({})

    def add(self, device: str, row: DeviceValues) -> None:
        """Add a device's values; a separate table of the same report (-h) adds to them."""
        if not self.rows or self.rows[-1].get(device, {}).keys() & row.keys():
            self.begin()
        report = self.rows[-1]
        if device in report or len(report) < MAX_DEVICES:
            report.setdefault(device, {}).update(row)

    @property
    def filled(self) -> list[dict[str, DeviceValues]]:
        """Return the reports with values."""
        return [report for report in self.rows if report]


def measurements(recordings: Sequence[Reports]) -> tuple[Measurement, ...]:
    """Return the measurements of every device of each recording.

    Empty if no report distinguishes reads and writes.
    """
    results: list[Measurement] = []
    call = 1
    for reports in recordings:
        of_one = _measured(reports, call)
        results += of_one
        call += bool(of_one)
    return tuple(results)


def _measured(reports: Reports, call: int) -> list[Measurement]:
    filled = reports.filled
    if not filled:
        return []
    boot = filled[0] if reports.boot and len(filled) > 1 else {}
    counted = filled[1:] if boot else filled
    return [
        replace(
            _measurement(device, operation, rows, boot, reports, len(counted)),
            call=call,
            target=f"{reports.host}:{device}" if reports.host else device,
            completeness=reports.completeness,
            warnings=_remarks(reports, len(counted)),
            lines=(reports.first, reports.last) if reports.first else None,
        )
        for device, rows in _by_device(counted).items()
        for operation in OPERATIONS
        if any(f"{operation} bandwidth" in row for row in rows.values())
    ]


def _remarks(reports: Reports, counted: int) -> tuple[str, ...]:
    remarks = [*reports.remarks]
    if reports.boot:
        remarks.append(BOOT if counted < len(reports.filled) else ONLY_BOOT)
    if reports.interval is None and counted > 1:
        remarks.append(NO_INTERVAL)
    return tuple(remarks)


def _by_device(reports: Sequence[dict[str, DeviceValues]]) -> dict[str, dict[int, DeviceValues]]:
    """Return device -> number of each report that has it -> its values there."""
    devices: dict[str, dict[int, DeviceValues]] = {}
    for number, report in enumerate(reports):
        for device, row in report.items():
            devices.setdefault(device, {})[number] = row
    return devices


def _measurement(
    device: str,
    operation: str,
    rows: dict[int, DeviceValues],
    boot: dict[str, DeviceValues],
    reports: Reports,
    count: int,
) -> Measurement:
    points = {number: _point(row, operation) for number, row in rows.items()}
    present = list(points.values())
    values: Values = {"reports": len(present)}
    for name in (*SHARED, "request_size", *OWN, *OTHERS):
        mean = _mean(present, name)
        if mean is not None:
            values[name] = mean
    if device in boot:
        values["since_boot"] = _point(boot[device], operation)
    if not values.get("await", 1) and _mean(present, "iops"):
        del values["await"]
    if reports.interval is not None:
        values["interval"] = reports.interval
    return Measurement(
        operation=operation,
        bandwidth=_mean(present, "bandwidth"),
        iops=_mean(present, "iops"),
        # A wait of 0 results from rounding (--dec=0).
        latency=Latency(mean=_weighted(present, "latency_mean", "iops") or None),
        params={"device": device},
        values=values,
        series=_series(points, count, reports.interval or 1.0),
    )


def _point(row: DeviceValues, operation: str) -> DeviceValues:
    """Return the values of one operation in one report, with those of the device."""
    mark = f"{operation} "
    own = {key.removeprefix(mark): value for key, value in row.items() if key.startswith(mark)}
    wait = own.pop("await", None)
    plain = {key.replace(" ", "_"): value for key, value in row.items()}
    point = {key: plain[key] for key in (*SHARED, "request_size", *OTHERS) if key in plain} | own
    if "await" not in point and (shared := _shared_wait(row)) is not None:
        point["await"] = shared
    if wait is None and not _other(row, operation):
        # Only this operation occurred, so the device's wait is its wait.
        wait = row.get("await")
    if wait is not None and own.get("iops"):
        point["latency_mean"] = wait
    if not own.get("request_size", 1):
        del point["request_size"]
    return point


def _other(row: DeviceValues, operation: str) -> bool:
    """Return True if another operation occurred, or may have occurred."""
    known = [key for key in row if key.endswith(" iops") and not key.startswith(operation)]
    return not known or any(row[key] for key in known)


def _shared_wait(row: DeviceValues) -> float | None:
    """Return the wait of reads and writes together, weighted by their rates."""
    pairs = [(row.get(f"{op} await"), row.get(f"{op} iops", 0.0)) for op in OPERATIONS]
    known = [(wait, rate) for wait, rate in pairs if wait is not None and rate]
    total = sum(rate for _, rate in known)
    return sum(wait * rate for wait, rate in known) / total if total else None


def _mean(points: Iterable[DeviceValues], name: str) -> float | None:
    values = [point[name] for point in points if name in point]
    return sum(values) / len(values) if values else None


def _weighted(points: Iterable[DeviceValues], name: str, weight: str) -> float | None:
    """Return the mean over all operations, with each report weighted by its operations."""
    pairs = [(point[name], point[weight]) for point in points if name in point]
    if len(pairs) == 1:
        return pairs[0][0]
    total = sum(rate for _, rate in pairs)
    return sum(value * rate for value, rate in pairs) / total if total else None


def _series(points: dict[int, DeviceValues], count: int, interval: float) -> tuple[Series, ...]:
    """Return series with a value for each of `count` reports.

    Empty for a device that most reports lack, because the series would be far larger than the
    input.
    """
    if count < 2 or count > SPARSEST * len(points):
        return ()
    names = ("bandwidth", "iops", "latency_mean", "utilisation", "queue", "await", "request_size")
    points_of_reports = [points.get(number, {}) for number in range(count)]
    lines = ((name, tuple(_value(point, name) for point in points_of_reports)) for name in names)
    return tuple(
        Series(name, values, 0.0, interval)
        for name, values in lines
        if any(value is not None for value in values)
    )


def _value(point: DeviceValues, name: str) -> float | None:
    value = point.get(name)
    return value or None if name == "latency_mean" else value
