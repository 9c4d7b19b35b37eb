"""Parse throughput mode (-t, -l -u): the sum of all processes, and its components.

"Children see" is the sum of each process's own rate while all were running; it is the measurement.
"Parent sees" includes starting and ending them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from apps.tools.parse_result import Measurement
from apps.tools.text import number
from apps.tools.values import Values

from .cells import rates, with_stride
from .columns import THROUGHPUT, THROUGHPUT_ONLY
from .invocation import BYTES, KB, OPERATIONS, Context

_NUMBER = r"= {0,20}(?P<value>\d{1,15}(?:\.\d{1,6})?) (?P<unit>kB|ops|KB|Kbytes)"
_SIZES = re.compile(
    r"Each (?:process|thread) writes a (\d{1,15}) kBytes? file in (\d{1,15}) kBytes? records", re.I
)
_CHILDREN = re.compile(
    rf"Children see throughput for {{1,9}}(?P<threads>\d{{1,6}}) "
    rf"(?P<name>[a-z-]{{1,12}}(?: [a-z]{{1,12}})?)\s{{0,80}}{_NUMBER}/sec"
)
_PARENT = re.compile(rf"Parent sees throughput for [^=\n]{{1,50}}{_NUMBER}/sec")
_PART = re.compile(
    rf"(?P<name>Min|Max|Avg) throughput per (?:process|thread)\s{{0,80}}{_NUMBER}/sec"
)
_MIN_TRANSFER = re.compile(rf"Min xfer\s{{0,80}}{_NUMBER}")
_CPU = re.compile(r"CPU utilization +(\d{1,6}(?:\.\d{1,4})?) %")
_CHILD = re.compile(
    r"Child\[\d{1,6}\] xfer count = {1,12}\d{1,15}\.\d\d (?:kB|ops), Throughput = {1,12}"
    r"(?P<value>\d{1,15}\.\d\d) (?P<unit>kB|ops)/sec"
)
_BEGINS = re.compile(r"Throughput test with (\d{1,6}) ")
MAX_CHILDREN = 4096
UNKNOWN = "An operation of throughput mode is not known and was left out: {}."


@dataclass
class Block:
    """One operation: its printed name, number of processes, sum, sizes in bytes, and components.

    `column`: column of the report if the number of processes is unknown.
    """

    name: str
    threads: int | None
    value: float
    unit: int
    file_size: int | None
    record_size: int | None
    values: Values = field(default_factory=dict)
    children: list[float] = field(default_factory=list)
    column: int | None = None


class Throughput:
    """Line parser of throughput mode."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.sizes: tuple[int, int] | None = None
        self._seen: set[tuple[int, str]] = set()

    def has(self, line: str) -> bool:
        """Return True if this line begins another block with the same number of processes."""
        if not self._seen or (" for " not in line and " with " not in line):
            return False
        line = line.replace("\t", " ")
        if match := _CHILDREN.search(line):
            return (int(match["threads"]), match["name"]) in self._seen
        begins = _BEGINS.search(line)
        return begins is not None and any(n == int(begins[1]) for n, _ in self._seen)

    def line(self, line: str, context: Context) -> bool:
        """Parse a line; return False for any other line."""
        line = line.replace("\t", " ")
        if match := _SIZES.search(line):
            self.sizes = int(match[1]) * KB, int(match[2]) * KB
        elif match := _CHILDREN.search(line):
            file_size, record = self.sizes or (context.file_size, context.record_size)
            unit = OPERATIONS if match["unit"] == "ops" else BYTES
            name, threads, value = (
                match["name"],
                int(match["threads"]),
                float(match["value"]),
            )
            self.blocks.append(Block(name, threads, value, unit, file_size, record))
            self._seen.add((threads, name))
        else:
            return bool(self.blocks) and self._part(line, self.blocks[-1])
        return True

    def _part(self, line: str, block: Block) -> bool:
        if match := _PARENT.search(line):
            block.values["parent"] = _figure(match)
        elif match := _PART.search(line):
            block.values[f"per_process_{match['name'].lower()}"] = _figure(match)
        elif match := _MIN_TRANSFER.search(line):
            block.values["min_transferred"] = _figure(match)
        elif match := _CPU.search(line):
            block.values["cpu_utilisation"] = float(match[1])
        elif (match := _CHILD.search(line)) and len(block.children) < MAX_CHILDREN:
            block.children.append(_figure(match))
        else:
            return False
        return True


def _figure(match: re.Match[str]) -> float:
    """Return bytes (or bytes/s), or operations (1/s) if iozone counts these."""
    return float(match["value"]) * (1 if match["unit"] == "ops" else KB)


def block_measurement(block: Block, context: Context) -> Measurement | None:
    """Return the block in bytes and operations; None for an unknown operation or a value of 0."""
    operation = THROUGHPUT.get(block.name)
    if operation is None or not block.value:
        return None
    bandwidth, iops, latency, printed = rates(block.value, block.record_size, block.unit)
    sizes = {"file_size": block.file_size, "record_size": block.record_size}
    params = {name: size for name, size in sizes.items() if size is not None}
    if any(number(each) is None for each in (bandwidth, iops) if each is not None):
        return None
    threads = {"threads": block.threads, "column": block.column}
    threads = {name: number for name, number in threads.items() if number is not None}
    children = {"processes": block.children} if block.children else {}
    return Measurement(
        operation,
        bandwidth,
        iops,
        latency,
        {**params, **threads, **with_stride(operation, context)},
        {**block.values, **children, "printed": printed},
        unread_options=_unread(operation, block, context),
    )


def _unread(operation: str, block: Block, context: Context) -> tuple[str, ...]:
    """Return options that no plan has.

    A plan uses throughput mode with one thread only for operations without a column in the table.
    """
    planned = operation in THROUGHPUT_ONLY or context.flags.get("async_depth")
    single_process = ("-t 1",) if block.threads == 1 and not planned else ()
    return single_process + context.unread_options(operation)
