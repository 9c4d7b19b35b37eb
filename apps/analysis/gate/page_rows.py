"""Rows of a gate as the page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.analysis.gate.result import GateResult
from apps.analysis.gate.rows import GateRow
from apps.analysis.gate.sentences import confidence_text, limit_text, median_text, row_sentence
from apps.analysis.verdicts.verdict_text import SHORT, VerdictText

PAGE_ROWS = 50


@dataclass(frozen=True)
class PageRow:
    """Row with its texts."""

    state: str
    sentence: str
    workload: str
    conditions: str
    metric: str
    baseline: str
    median: str
    repeats: str
    interval: str
    confidence: str
    limit: str


@dataclass(frozen=True)
class RowsPage:
    """One page of rows; `number` from 1 to `last`."""

    rows: Sequence[PageRow]
    number: int
    last: int


def rows_page(gate: GateResult, number: int) -> RowsPage:
    """Return a page of the rows; a number after the last is the last page."""
    last = max(1, -(-len(gate.rows) // PAGE_ROWS))
    number = min(max(1, number), last)
    texts = VerdictText()
    shown = gate.rows[(number - 1) * PAGE_ROWS : number * PAGE_ROWS]
    return RowsPage([_page_row(row, texts) for row in shown], number, last)


def _page_row(row: GateRow, texts: VerdictText) -> PageRow:
    interval = texts.interval(row.change)
    confidence = _("{percent} confidence").format(percent=confidence_text(row)) if interval else ""
    conditions = dict.fromkeys(filter(None, (row.target, row.tuning, row.level)))
    return PageRow(
        row.state, row_sentence(row, texts), row.workload or _("all workloads"),
        " · ".join(conditions), str(SHORT[row.metric]), median_text(row, row.baseline_median),
        median_text(row, row.median), f"{row.baseline_n} / {row.n}", interval, confidence,
        limit_text(row),
    )  # fmt: skip
