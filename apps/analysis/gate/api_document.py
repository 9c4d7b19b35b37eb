"""API document of a gate: plain dictionaries, as there may be thousands of rows.

The shape is that of the serializers of `apps.analysis.api.gate`.
"""

from __future__ import annotations

from typing import Any

from apps.analysis.gate.result import GateResult
from apps.analysis.gate.rows import GateRow
from apps.analysis.gate.sentences import gate_sentence, median_text, row_sentence
from apps.analysis.verdicts.verdict_text import VerdictText
from apps.tools.metrics import METRICS

Document = dict[str, Any]


def gate_document(gate: GateResult) -> Document:
    """Return a gate with every decision."""
    texts = VerdictText()
    return {
        "run": gate.run.pk,
        "name": gate.run.name,
        "against": gate.query.against,
        "query": gate.query.urlencode(),
        "state": gate.state,
        "text": gate_sentence(gate),
        "counts": gate.counts,
        "limits": gate.limits,
        "more_repeats": gate.more_repeats,
        "rows": [_row(row, texts) for row in gate.rows],
    }


def _row(row: GateRow, texts: VerdictText) -> Document:
    effect = row.change.effect
    return {
        "state": row.state, "text": row_sentence(row, texts), "workload": row.workload,
        "operation": row.operation, "metric": row.metric, "target": row.target,
        "tuning": row.tuning, "level": row.level, "baseline": row.baseline,
        "limit_percent": row.percent, "limit_ratio": row.limit, "unit": METRICS[row.metric].unit,
        "baseline_median": row.baseline_median, "median": row.median,
        "baseline_text": median_text(row, row.baseline_median),
        "median_text": median_text(row, row.median), "baseline_n": row.baseline_n, "n": row.n,
        "ratio": effect.ratio, "low": effect.low, "high": effect.high,
        "confidence": 1 - row.error, "more_repeats": row.more, "differing": list(row.differing),
    }  # fmt: skip
