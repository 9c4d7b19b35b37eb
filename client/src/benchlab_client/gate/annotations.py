"""Annotations of GitHub: workflow commands on lines of their own.

GitHub shows the first ten of a step and kind.
"""

from __future__ import annotations

from typing import List, Optional

from benchlab_client.gate.decisions import PASSED, TITLES, UNDECIDED, Gate

MAX_ANNOTATIONS = 10
MAX_MESSAGE = 3_000


def annotation_lines(gate: Gate, *, undecided: Optional[str] = None) -> List[str]:
    """Return at most ten commands, the worst limits first.

    `undecided`: "warn" makes warnings of undecided limits, "pass" leaves them out.
    """
    lines: List[str] = []
    for row in gate.rows:
        if row.state == PASSED or (row.state == UNDECIDED and undecided == "pass"):
            continue
        if len(lines) == MAX_ANNOTATIONS:
            break
        kind = "warning" if row.state == UNDECIDED and undecided == "warn" else "error"
        title = f"{TITLES.get(row.state, row.state)}: {row.name}"
        text = " ".join(filter(None, (row.text, f"({row.place})" if row.place else "")))
        message = escape_data(text[:MAX_MESSAGE])
        lines.append(f"::{kind} title={escape_property(title)}::{message}")
    return lines


def escape_data(text: str) -> str:
    """Return text of a command's message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Return text of a command's property."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
