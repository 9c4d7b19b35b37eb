"""Convert a value of iozone to a measurement. iozone's kB is 1024 bytes."""

from __future__ import annotations

from dataclasses import dataclass

from apps.tools.parse_result import Latency, Measurement
from apps.tools.text import number
from apps.tools.values import Parameters, Values

from .invocation import BYTES, KB, OPERATIONS, STRIDE, Context


@dataclass(frozen=True)
class Cell:
    """One operation at one point of the table: sizes in kB, the value as printed."""

    operation: str
    file_kb: int
    record_kb: int
    printed: int


def cell_measurement(cell: Cell, context: Context) -> Measurement | None:
    """Return the cell in bytes, operations and ns.

    None for 0, the value of tests that did not run.
    """
    if not cell.printed or not cell.record_kb:
        return None
    file_size, record = cell.file_kb * KB, cell.record_kb * KB
    params: Parameters = {
        "file_size": file_size,
        "record_size": record,
        "threads": 1,
        **with_stride(cell.operation, context),
    }
    bandwidth, iops, latency, printed = rates(cell.printed, record, context.unit)
    if number(bandwidth) is None or number(file_size) is None:
        return None
    values: Values = {"printed": printed, "bytes": file_size}
    unread = context.unread_options(cell.operation)
    return Measurement(
        cell.operation, bandwidth, iops, latency, params, values, unread_options=unread
    )


def with_stride(operation: str, context: Context) -> Parameters:
    """Return the run's parameters, with the stride for `stride_read` only."""
    stride = context.stride or (STRIDE if context.called else None)
    stride_param: Parameters = {"stride": stride} if operation == "stride_read" and stride else {}
    return context.parameters | stride_param


def rates(
    value: float, record: int | None, unit: int
) -> tuple[float | None, float | None, Latency, Values]:
    """Return bandwidth, IOPS, latency and the printed value, from a value in the run's unit.

    One operation transfers one record.
    """
    if unit == BYTES:
        bandwidth = value * KB
        return (
            bandwidth,
            bandwidth / record if record else None,
            Latency(),
            {"bandwidth": bandwidth},
        )
    if unit == OPERATIONS:
        return value * record if record else None, float(value), Latency(), {"iops": value}
    latency = value * unit
    iops = 1e9 / latency
    bandwidth_or_none = iops * record if record else None
    return bandwidth_or_none, iops, Latency(mean=latency), {"latency": latency}
