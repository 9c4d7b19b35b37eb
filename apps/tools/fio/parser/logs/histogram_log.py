"""Histogram logs (`write_hist_log` with `log_hist_msec`): sum of the rows, percentiles over time.

    time (ms), direction, block size (bytes), operations in bin 0, in bin 1, ...

Each row has the counts since the previous row (fio: iolog.c, flush_hist_samples). Before 3.0 there
were 19 groups of 64 bins in µs, since then 29 in ns. `log_hist_coarseness` c adds 2^c neighbours,
so the number of columns determines both (fio(1), "log_hist_coarseness").
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from operator import itemgetter

import numpy as np

from apps.tools.errors import OutputError
from apps.tools.fio.parser.bins.bins import MAX_COUNT, Integers
from apps.tools.fio.parser.direction import OPERATIONS
from apps.tools.histogram import LAST_INDEX, bin_index, bin_top, bin_value, latency_of
from apps.tools.messages import message
from apps.tools.metrics import SAMPLED
from apps.tools.parse_result import Measurement
from apps.tools.series.histograms import Counted, coarse, histogram_series
from apps.tools.series.stalls import BOUNDS, LARGEST_OF
from apps.tools.values import Values

from .blocks import Blocks, LogText
from .grid import Floats, Grid
from .latencies import distribution

BINS = {19 * 64: 1000, 29 * 64: 1}  # number of bins without coarseness -> ns in the unit
MAX_COARSENESS = 6
MAX_CELLS = 30_000_000  # non-empty bins of all rows
GRID = np.array([bin_value(index) for index in range(LAST_INDEX + 1)], np.int64)
SHARES = {key: float(Decimal(name) / 100) for name, key in SAMPLED.items()}
_CHARACTERS = b"0123456789, \t\r"


@dataclass
class Rows:
    """Rows of a histogram log.

    `cells`: columns of non-zero counts and the counts, per row; `names`: number of the ns bin that
    contains the centre of each column. `coarseness`: fio's option.
    """

    names: Integers
    coarseness: int
    times: list[int] = field(default_factory=list)
    directions: list[int] = field(default_factory=list)
    cells: list[tuple[Integers, Integers]] = field(default_factory=list)
    foreign: int = 0
    cut: bool = False
    windows: bool = True

    @property
    def time(self) -> Integers:
        """Return each row's time in ms."""
        return np.array(self.times, np.int64)

    @property
    def direction(self) -> Integers:
        """Return each row's direction."""
        return np.array(self.directions, np.int64)


def read_rows(text: LogText) -> Rows:
    """Return every row with the width of the first.

    Raises: OutputError for a text that is no histogram log.
    """
    blocks = Blocks(text)
    lines = _lines(blocks)
    first = next(lines, b"")
    width = first.count(b",") + 1
    unit, coarseness = _bins(width - 3)
    rows = Rows(np.array(list(_names(width - 3, unit, coarseness)), np.int64), coarseness)
    cells_left = _add_row(rows, first, width, MAX_CELLS)
    for line in lines:
        cells_left = _add_row(rows, line, width, cells_left)
    if not rows.times:
        raise OutputError("This is no histogram log of fio: it has no complete row.")
    rows.cut = blocks.cut
    return rows


def _lines(blocks: Blocks) -> Iterator[bytes]:
    """Yield the non-empty lines, without an unfinished last line."""
    for block in blocks:
        yield from filter(None, map(bytes.strip, block.split(b"\n")))


def _bins(columns: int) -> tuple[int, int]:
    """Return the nanoseconds in the unit, and the coarseness."""
    for bins, unit in BINS.items():
        for coarseness in range(MAX_COARSENESS + 1):
            if columns == bins >> coarseness:
                return unit, coarseness
    raise OutputError(message("No fio writes histograms of %(bins)d bins.", bins=max(columns, 0)))


def _add_row(rows: Rows, line: bytes, width: int, cells_left: int) -> int:
    """Add a row and return the remaining number of cells.

    Lines that fio cannot have written are counted as foreign. Raises: OutputError if the cells are
    exhausted.
    """
    numbers = np.empty(0, np.int64)
    if line.count(b",") == width - 1 and not line.translate(None, _CHARACTERS):
        # A number with too many digits becomes the largest int64, which no row may have.
        numbers = _numbers(line)
    if numbers.size != width or numbers[1] >= len(OPERATIONS) or numbers.max() >= MAX_COUNT:
        rows.foreign += 1
        return cells_left
    columns = np.flatnonzero(numbers[3:])
    if columns.size > cells_left:
        raise OutputError("The histogram log is too large.")
    rows.times.append(int(numbers[0]))
    rows.directions.append(int(numbers[1]))
    rows.cells.append((columns, numbers[3:][columns]))
    return cells_left - columns.size


def _numbers(line: bytes) -> Integers:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return np.fromstring(line.decode("ascii"), np.int64, sep=",")
        except ValueError:
            return np.empty(0, np.int64)


def _names(columns: int, unit: int, coarseness: int) -> Iterator[int]:
    """Yield for each column the number of the ns bin that contains its centre."""
    width = 1 << coarseness
    for first in range(0, columns * width, width):
        low, high = bin_value(min(first, LAST_INDEX)), bin_value(min(first + width - 1, LAST_INDEX))
        yield bin_index((low + high) // 2 * unit)


def measure(operation: str, number: int, logs: Sequence[Rows], grid: Grid) -> Measurement | None:
    """Return the sum of one direction of all logs; None if nothing was counted."""
    total = np.zeros(LAST_INDEX + 1, np.int64)
    names = ("iops", *SHARES, "latency_max")
    metrics = {name: np.full(grid.slots, np.nan) for name in names}
    slots: list[int] = []
    counted: list[Counted] = []
    for slot, counts, rate in _by_slot(logs, number, grid):
        total += counts
        slots.append(slot)
        counted.append(coarse(GRID, counts))
        metrics["iops"][slot] = rate
        _percentiles(metrics, slot, counts)
    histogram = distribution(total)
    if histogram is None:
        return None
    seconds = max(int(_spans(log, number, grid)[1].sum()) for log in logs) / 1000
    operations = int(total.sum())
    values: Values = {"total_ios": operations, "percentiles_of": "clat", "runtime": seconds}
    values[LARGEST_OF] = BOUNDS
    series = [grid.series(name, values) for name, values in metrics.items()]
    return Measurement(
        operation=operation,
        bandwidth=None,
        iops=operations / seconds if seconds else None,
        latency=latency_of(histogram),
        values=values,
        series=[each for each in series if each is not None],
        histogram=histogram,
        over_time=histogram_series(slots, counted, grid.step / 1000),
    )


def _spans(log: Rows, number: int, grid: Grid) -> tuple[Integers, Integers]:
    """Return the rows of a direction, and the ms that each covers.

    A row covers the time since the previous row; the first covers one step.
    """
    row_indices = np.flatnonzero(log.direction == number)
    times = log.time[row_indices]
    return row_indices, np.diff(times, prepend=times[:1] - grid.step)


def _by_slot(
    logs: Sequence[Rows], number: int, grid: Grid
) -> Iterator[tuple[int, Integers, float]]:
    """Yield slot, combined bins of all logs, and operations/s, in the order of slots."""
    entries = []
    for log in logs:
        row_indices, spans = _spans(log, number, grid)
        slot_numbers = grid.slots_of(log.time[row_indices])
        rows = zip(slot_numbers.tolist(), row_indices.tolist(), spans.tolist(), strict=True)
        entries += [(slot, log, row, span) for slot, row, span in rows]
    entries.sort(key=itemgetter(0))
    for slot, slot_rows in groupby(entries, itemgetter(0)):
        counts, rate = np.zeros(LAST_INDEX + 1, np.int64), 0.0
        for _, log, row, span in slot_rows:
            columns, cells = log.cells[row]
            np.add.at(counts, log.names[columns], cells)
            rate += int(cells.sum()) * 1000 / span if span > 0 else 0.0
        yield slot, counts, rate


def _percentiles(metrics: dict[str, Floats], slot: int, counts: Integers) -> None:
    """Set the percentiles of one slot, by the rule of `apps.tools.histogram.percentiles`."""
    running = np.cumsum(counts)
    for name, share in SHARES.items():
        if running[-1]:
            metrics[name][slot] = bin_value(int(np.searchsorted(running, share * running[-1])))
    if running[-1]:
        highest = bin_value(int(np.flatnonzero(counts)[-1]))
        metrics["latency_max"][slot] = bin_top(highest)
