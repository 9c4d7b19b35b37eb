"""Matrix of a comparison: workloads by metrics, each cell with change, interval and verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison
from apps.analysis.verdicts.request_sizes import SizesByLevel
from apps.analysis.verdicts.verdict_text import SHORT, VerdictText, typical_pair_note
from apps.analysis.verdicts.within_tests import Notes
from apps.common.domain.value_format import format_difference
from apps.common.domain.verdicts import DIFFERENCE_SHOWN, VerdictKind
from apps.tools.metrics import COMPARISON_METRICS

STRONG = (math.log(1.02), math.log(1.1))
"""Logarithms of changes (2 %, 10 %) above which a cell has a stronger colour."""
ARROWS = {VerdictKind.BETTER: "▲", VerdictKind.WORSE: "▼"}


@dataclass(frozen=True)
class MatrixCell:
    """Cell of the matrix.

    `strength`: 0 without a shown difference, else 1 to 3. `change`: of the medians; `typical`: the
    estimate if it disagrees. `words`: the verdict; `why`: its sentence.
    """

    kind: VerdictKind
    strength: int
    arrow: str
    change: str
    typical: str
    interval: str
    words: str
    why: str


@dataclass(frozen=True)
class MatrixRow:
    """Level of a workload against the baseline; a cell is None if it has no values.

    `main`: the metric that is tested first. `within`: sentences about request sizes, stalls and
    spreads within the tests.
    """

    slug: str
    label: str
    where: str
    level: str
    counts: str
    main: str
    cells: tuple[MatrixCell | None, ...]
    within: tuple[str, ...] = ()


@dataclass(frozen=True)
class Matrix:
    """Matrix of a comparison. `note`: the meaning of a typical pair, if a cell has one."""

    heads: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    note: str = ""


def matrix(results: Sequence[ComparedResult], within: Notes, sizes: SizesByLevel) -> Matrix:
    """Return the matrix of these results, with all metrics that any of them has."""
    text = VerdictText()
    metrics = [m for m in COMPARISON_METRICS if any(result.measured(m) for result in results)]
    rows = [
        replace(
            _row(result, number, metrics, text), within=_sentences(result, number, within, sizes)
        )
        for result in results
        for number in range(len(result.pairs))
    ]
    has_two = any(cell is not None and cell.typical for row in rows for cell in row.cells)
    note = typical_pair_note() if has_two else ""
    return Matrix(tuple(str(SHORT[metric]) for metric in metrics), tuple(rows), note)


def _row(
    result: ComparedResult, number: int, metrics: Sequence[str], text: VerdictText
) -> MatrixRow:
    group, pair = result.group, result.pairs[number]
    lines = {line.metric: line for line in result.lines}
    shown = [lines.get(metric) for metric in metrics]
    return MatrixRow(
        slug=group.slug,
        label=group.label,
        where=group.where,
        level=pair.level,
        counts=f"{len(pair.a)} / {len(pair.b)}",
        main=str(SHORT[result.main]),
        cells=tuple(
            None if line is None else _cell(line.entries[number], text, result.stopped_by(number))
            for line in shown
        ),
    )


def _sentences(
    result: ComparedResult, number: int, within: Notes, sizes: SizesByLevel
) -> tuple[str, ...]:
    """Return what explains a row: request sizes, stalls, spreads within the tests."""
    key = result.group.slug, result.pairs[number].level
    size, note = sizes.get(key), within.get(key)
    return (*([size.text] if size else ()), *(note.sentences if note else ()))


def _cell(entry: MetricComparison, text: VerdictText, stopped_by: str) -> MatrixCell:
    kind = entry.kind
    return MatrixCell(
        kind=kind,
        strength=_strength(entry.effect.ratio) if kind in DIFFERENCE_SHOWN else 0,
        arrow=ARROWS.get(kind, ""),
        change=format_difference(entry.change.shown),
        typical=text.typical(entry.change),
        interval=text.interval(entry.change),
        words=text.kind(kind),
        why=text.sentence(entry.verdict, entry.change, stopped_by),
    )


def _strength(ratio: float | None) -> int:
    """Return 1 to 3 by the size of the change; 3 if one side measured zero."""
    if not ratio:
        return len(STRONG) + 1
    return 1 + sum(abs(math.log(ratio)) >= border for border in STRONG)
