"""Result of a gate, computed by page and API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from apps.analysis.gate.compared import compare, tests_without_baseline
from apps.analysis.gate.comparisons import comparisons_of, run_or_error
from apps.analysis.gate.decisions import GateState, worst_state
from apps.analysis.gate.lost_tests import lost_tests
from apps.analysis.gate.query import GateQuery
from apps.analysis.gate.rows import GateRow, gate_rows
from apps.runs.models import Run


@dataclass(frozen=True)
class GateResult:
    """Result of a gate: its state is the worst of its rows."""

    query: GateQuery
    run: Run
    rows: tuple[GateRow, ...]

    @property
    def state(self) -> GateState:
        return worst_state([row.state for row in self.rows])

    @property
    def counts(self) -> Mapping[GateState, int]:
        """Return the number of rows by state, the worst first; only states that occur."""
        counts = Counter(row.state for row in self.rows)
        return {state: counts[state] for state in GateState if counts[state]}

    @property
    def more_repeats(self) -> int | None:
        """Return the repeats that may decide every undecided row; None if no number can."""
        more = [row.more for row in self.rows if row.state is GateState.UNDECIDED]
        known = [number for number in more if number is not None]
        return max(known) if known and len(known) == len(more) else None

    @property
    def limits(self) -> int:
        """Return the number of limits that share the error of a false "failed"."""
        return max((row.limits for row in self.rows), default=1)

    @property
    def address(self) -> str:
        """Return the path of the page."""
        return f"{reverse('gate')}?{self.query.urlencode()}"


def compute_gate(query: GateQuery) -> GateResult:
    """Return the decisions of a gate. Raises: ServiceError (400, 404, 409)."""
    run = run_or_error(query.run, "run")
    parts = comparisons_of(query, run)
    compared = [compare(query, one) for one in parts.comparisons]
    lonely = list(tests_without_baseline(query, parts.without_baseline))
    return GateResult(query, run, tuple(gate_rows(query, compared, lonely, lost_tests(query))))
