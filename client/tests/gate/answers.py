"""Answers of the server for tests of gates."""

from __future__ import annotations

from typing import Any, Dict

from benchlab_client.gate.decisions import Gate, parse_gate

PAGE = "http://lab.example:8000/gate/?run=41&against=run%3A12&iops_worse=5"
ODD = "a|b`c` <i>&\x00\x1b\ud800 50%, bs: 4k\r\n::error::no"
"""Text with everything that a format has to escape."""


def row(state: str = "failed", **changes: Any) -> Dict[str, Any]:
    base: Dict[str, Any] = {
        "state": state, "text": f"Sentence of {state}.", "workload": "randread 4 KiB",
        "operation": "read", "metric": "iops", "target": "node1: /dev/vdb",
        "tuning": "Host defaults", "level": "Run 41", "baseline": "as delivered",
        "limit_percent": 5.0, "limit_ratio": 0.95, "unit": "1/s", "baseline_median": 1000.0,
        "median": 900.0, "baseline_text": "1,000 IOPS", "median_text": "900 IOPS",
        "baseline_n": 6, "n": 6, "ratio": 0.9, "low": 0.898, "high": 0.902, "confidence": 0.95,
        "more_repeats": None, "differing": [],
    }  # fmt: skip
    return {**base, **changes}


def answer(*rows: Dict[str, Any], state: str = "", more: Any = None) -> Dict[str, Any]:
    counts: Dict[str, int] = {}
    for one in rows:
        counts[one["state"]] = counts.get(one["state"], 0) + 1
    return {
        "run": 41, "name": "nightly", "against": "run:12",
        "query": "run=41&against=run%3A12&iops_worse=5", "state": state or rows[0]["state"],
        "text": "Sentence of the gate.", "counts": counts, "limits": len(rows),
        "more_repeats": more, "rows": list(rows),
    }  # fmt: skip


def gate(*rows: Dict[str, Any], **more: Any) -> Gate:
    return parse_gate(answer(*rows, **more), PAGE)


def odd_gate() -> Gate:
    """One row of each state, with odd names, and two of one name."""
    states = ("failed", "no_result", "not_comparable", "undecided", "passed")
    rows = [row(state, workload=ODD, text=f"{ODD} {state}") for state in states]
    return gate(*rows, row("passed", low=None, high=None), row("passed", target="node2: /dev/vdb"))
