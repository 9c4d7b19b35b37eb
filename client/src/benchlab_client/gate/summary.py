"""Markdown summary of a gate, for the step summary of GitHub and for merge requests.

GitHub refuses a step summary above 1 MiB as a whole, so rows are cut before.
"""

from __future__ import annotations

import re

from benchlab_client.gate.decisions import TITLES, Gate, GateRow
from benchlab_client.output import plain

MAX_BYTES = 900_000
_SPECIAL = re.compile(r"([\\`*_\[\]|~#$])")
_HEADS = ("State", "Workload", "Metric", "Baseline", "Run", "n", "Interval", "Limit", "Decision")


def summary_text(gate: Gate, *, used: int = 0) -> str:
    """Return the summary. `used`: bytes that the file already has."""
    head = _head(gate)
    left = MAX_BYTES - used - len(head.encode()) - 500
    lines, shown = [], 0
    for row in gate.rows:
        line = _line(row)
        left -= len(line.encode()) + 1
        if left < 0:
            break
        lines.append(line)
        shown += 1
    rest = len(gate.rows) - shown
    if rest:
        lines += ["", f"{rest} more limits are on the [page of the gate](<{gate.page}>)."]
    return "\n".join([head, *lines, ""])


def _head(gate: Gate) -> str:
    return "\n".join(
        [
            f"### benchlab gate: {TITLES.get(gate.state, gate.state).lower()}",
            "",
            f"{escape(gate.text)} [Run {gate.run}](<{gate.page}>) against {escape(gate.against)}.",
            "",
            f"| {' | '.join(_HEADS)} |",
            f"|{' --- |' * len(_HEADS)}",
        ]
    )


def _line(row: GateRow) -> str:
    workload = ", ".join(filter(None, (row.workload, row.operation)))
    place = f" ({row.place})" if row.place else ""
    cells = (
        TITLES.get(row.state, row.state), f"{workload}{place}", row.metric, row.baseline_text,
        row.median_text, f"{row.baseline_n}/{row.n}", row.interval, row.limit, row.text,
    )  # fmt: skip
    return f"| {' | '.join(escape(one) for one in cells)} |"


def escape(text: str) -> str:
    """Return text without markup of Markdown or HTML, on one line."""
    flat = " ".join(plain(" ".join(text.split())).split())
    html = flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", html)
