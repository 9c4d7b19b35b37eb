"""Decisions of a gate as the server makes them, and their exit codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

from benchlab_client import exit_codes
from benchlab_client.client import Client

FAILED, NO_RESULT, NOT_COMPARABLE, UNDECIDED, PASSED = STATES = (
    "failed", "no_result", "not_comparable", "undecided", "passed",
)  # fmt: skip
"""States of a limit and of a gate, the worst first."""
TITLES: Mapping[str, str] = {
    FAILED: "Failed", NO_RESULT: "No result", NOT_COMPARABLE: "Not comparable",
    UNDECIDED: "Undecided", PASSED: "Passed",
}  # fmt: skip
EXIT_CODES: Mapping[str, int] = {
    FAILED: exit_codes.GATE_FAILED, NO_RESULT: exit_codes.NO_RESULT,
    NOT_COMPARABLE: exit_codes.UNDECIDED, UNDECIDED: exit_codes.UNDECIDED,
    PASSED: exit_codes.OK,
}  # fmt: skip


@dataclass(frozen=True)
class GateRow:
    """Decision on one limit. `text`: the server's sentence; medians are texts with units."""

    state: str
    text: str
    workload: str
    operation: str
    metric: str
    target: str
    tuning: str
    level: str
    baseline: str
    limit_percent: float
    baseline_text: str
    median_text: str
    baseline_n: int
    n: int
    low: Optional[float]
    high: Optional[float]
    confidence: float

    @property
    def name(self) -> str:
        """Return workload, operation and metric: "randread 4 KiB, read, iops"."""
        return ", ".join(filter(None, (self.workload, self.operation, self.metric)))

    @property
    def place(self) -> str:
        """Return target and tuning, with the compared level if it is neither."""
        parts = dict.fromkeys((self.target, self.tuning, self.level))
        return " · ".join(filter(None, parts))

    @property
    def interval(self) -> str:
        """Return the interval of the change: "-10.2 to -9.8 %"; empty without one."""
        if self.low is None or self.high is None:
            return ""
        return f"{100 * (self.low - 1):+.1f} to {100 * (self.high - 1):+.1f} %"

    @property
    def limit(self) -> str:
        return f"{self.limit_percent:g} %"


@dataclass(frozen=True)
class Gate:
    """Decisions on a run, the worst first. `page`: address of the page; `data`: the answer."""

    run: int
    name: str
    against: str
    state: str
    text: str
    counts: Mapping[str, int]
    more_repeats: Optional[int]
    rows: Tuple[GateRow, ...]
    page: str
    data: Mapping[str, Any]

    def exit_code(self, undecided: Optional[str] = None) -> int:
        """Return the exit code. `undecided`: "warn" and "pass" make an undecided gate succeed."""
        if self.state == UNDECIDED and undecided in ("warn", "pass"):
            return exit_codes.OK
        return EXIT_CODES.get(self.state, exit_codes.SERVER)


def read_gate(
    client: Client, *, run: int, against: str, limits: Mapping[str, str], operation: str = ""
) -> Gate:
    """Return the decisions on a run. `limits`: percent by metric. Raises: ServerError."""
    worse = {f"{metric}_worse": percent for metric, percent in limits.items()}
    answer: Dict[str, Any] = client.get_json(
        "gate/", run=run, against=against, operation=operation or None, **worse
    )
    return parse_gate(answer, client.page_url(f"gate/?{answer['query']}"))


def parse_gate(answer: Mapping[str, Any], page: str) -> Gate:
    """Return the decisions of an answer."""
    rows = tuple(_row(one) for one in answer["rows"])
    return Gate(
        answer["run"], _encodable(answer["name"]), _encodable(answer["against"]),
        answer["state"], _encodable(answer["text"]),
        answer["counts"], answer["more_repeats"], rows, page, answer,
    )  # fmt: skip


def _row(one: Mapping[str, Any]) -> GateRow:
    names: Sequence[str] = tuple(GateRow.__dataclass_fields__)
    return GateRow(**{name: _encodable(one[name]) for name in names})


def _encodable(value: Any) -> Any:
    """Return text without lone surrogates, which JSON can hold and UTF-8 cannot."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
