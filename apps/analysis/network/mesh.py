"""Network results of a run as a matrix of client and server.

A cell is the median of a pair's valid repeats, or the reason without one.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.queries.filters import narrowed
from apps.analysis.queries.selection import EVERYTHING, Selection
from apps.plans.selectors.workload_names import workload_name
from apps.results.models import ResultSummary
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Case, CaseState, Run
from apps.runs.presenters.workloads import labels_of, run_workloads

# The receiver counts what arrived; only the sender counts retransmits.
METRICS_BY_OPERATION: Mapping[str, tuple[str, ...]] = {
    "bandwidth": ("receive", "send"),
    "retransmits": ("send",),
    "loss": ("receive", "send"),
    "jitter": ("receive", "send"),
    "round_trip": ("send",),
}
REASON_BY_STATE: Mapping[str, object] = {
    CaseState.PENDING: lazy("not measured yet"),
    CaseState.RUNNING: lazy("being measured now"),
    CaseState.CANCELLED: lazy("cancelled"),
    CaseState.SKIPPED: lazy("skipped"),
    CaseState.LOST: lazy("lost"),
}


@dataclass(frozen=True)
class MeshLink:
    """Case between two hosts: values by operation (bytes/s, ns, %), or the reason without one.

    `key`: of its workload; `pair`: key of the host pair, None if it does not exist, as of an
    import.
    """

    case: int
    run: int
    client: str
    server: str
    workload: str
    tuning: str
    repeat: int
    why: str = ""
    figures: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    key: str = ""
    pair: int | None = None

    @property
    def history(self) -> str:
        """Return the query of this pair's history; empty without a host pair."""
        return urlencode({"workload": self.key, "target": self.pair}) if self.pair else ""

    def value(self, name: str) -> float | None:
        """Return the metric of the first operation that has it."""
        for operation in METRICS_BY_OPERATION[name]:
            result = self.figures.get(operation, {}).get(name)
            if result is not None:
                return result
        return None


@dataclass(frozen=True)
class PairCell:
    """Cell: median and range of the repeats, or the reason without one."""

    value: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    repeats: int = 0
    case: int | None = None
    why: str = ""


@dataclass(frozen=True)
class Mesh:
    """Cells by (client, server); all hosts sorted by name."""

    figure: str
    hosts: tuple[str, ...]
    cells: Mapping[tuple[str, str], PairCell]

    def cell(self, client: str, server: str) -> PairCell:
        """Return a cell, also for pairs outside the run."""
        if client == server:
            return PairCell(why=_("a host is not measured against itself"))
        return self.cells.get((client, server), PairCell(why=_("not part of this run")))

    def extremes(self, higher_is_better: bool) -> list[tuple[str, str, PairCell]]:
        """Return the measured pairs, the worst first."""
        result = [(c, s, cell) for (c, s), cell in self.cells.items() if cell.value is not None]
        return sorted(result, key=lambda row: row[2].value or 0.0, reverse=not higher_is_better)

    @property
    def missing(self) -> list[tuple[str, str, str]]:
        """Return the pairs of the run without a value: client, server, reason."""
        return [(c, s, cell.why) for (c, s), cell in self.cells.items() if cell.value is None]


def run_mesh_links(run: Run, within: Selection = EVERYTHING) -> list[MeshLink]:
    """Return every case of a run between two hosts, in the order of execution.

    With a selection `within` only cases with a result in it.
    """
    cases = (
        run.cases.filter(run_target__kind="pair")
        .select_related("workload", "run_tuning", "run_target__target__pair")
        .prefetch_related("run_target__members")
        .order_by("sequence")
    )
    result = list(cases)
    if not within.is_empty:
        # By keys: with a subquery PostgreSQL may join each case with each result.
        chosen = narrowed(ResultSummary.objects.filter(run=run), within).order_by()
        selected = set(chosen.values_list("case_id", flat=True))
        result = [case for case in result if case.pk in selected]
    figures = _figures(run, [case.pk for case in result])
    labels = labels_of(run_workloads(run))
    return [
        _link(
            case,
            labels.get(case.workload_id) or workload_name(case.workload),
            figures.get(case.pk, {}),
        )
        for case in result
    ]


def _link(case: Case, label: str, figures: Mapping[str, Mapping[str, float | None]]) -> MeshLink:
    names = {member.role: member.host_name for member in case.members}
    return MeshLink(
        case=case.pk,
        run=case.run_id,
        client=names["client"],
        server=names["server"],
        workload=label,
        tuning=case.tuning_name,
        repeat=case.repeat,
        why="" if figures else _missing_reason(case),
        figures=figures,
        key=case.workload.key,
        pair=_pair_of(case),
    )


def _pair_of(case: Case) -> int | None:
    target = case.run_target.target
    result = getattr(target, "pair", None) if target is not None else None
    return result.pk if result is not None else None


def _missing_reason(case: Case) -> str:
    if case.state == CaseState.SUCCEEDED:
        return _("its figures are not valid")
    if case.state == CaseState.FAILED:
        return case.reason or _("failed")
    return str(REASON_BY_STATE[case.state])


def _figures(run: Run, cases: Sequence[int]) -> dict[int, dict[str, dict[str, float | None]]]:
    """Return values by case and operation, of comparable results only."""
    counting = comparable_summaries().filter(run=run, case__in=cases)
    rows = counting.values_list("case_id", "operation", "bandwidth", "measurement__values")
    result: dict[int, dict[str, dict[str, float | None]]] = {}
    for case, operation, bandwidth, values in rows:
        named = {
            name: _number(values.get(name)) for name in METRICS_BY_OPERATION if name != "bandwidth"
        }
        result.setdefault(case, {})[operation] = {"bandwidth": bandwidth, **named}
    return result


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None  # type: ignore[arg-type]  # `known` is the check


def known_metrics(links: Iterable[MeshLink]) -> list[str]:
    """Return the metrics that any pair has."""
    every = list(links)
    return [
        name for name in METRICS_BY_OPERATION if any(link.value(name) is not None for link in every)
    ]


def mesh_of(links: Sequence[MeshLink], figure: str) -> Mesh:
    """Return the matrix of one metric; `links` have one workload and tuning."""
    hosts = sorted({name for link in links for name in (link.client, link.server)})
    pairs: dict[tuple[str, str], list[MeshLink]] = {}
    for link in links:
        pairs.setdefault((link.client, link.server), []).append(link)
    cells = {
        pair: _pair_cell(result, lambda link: link.value(figure)) for pair, result in pairs.items()
    }
    return Mesh(figure, tuple(hosts), cells)


def _pair_cell(links: Sequence[MeshLink], value_of: Callable[[MeshLink], float | None]) -> PairCell:
    is_number = [(value, link.case) for link in links if (value := value_of(link)) is not None]
    if not is_number:
        reasons = dict.fromkeys(link.why for link in links if link.why)
        return PairCell(
            why="; ".join(reasons) or _("not reported by the tool"), case=links[-1].case
        )
    values = [value for value, _case in is_number]
    median = statistics.median(values)
    nearest = min(is_number, key=lambda pair: abs(pair[0] - median))
    return PairCell(median, min(values), max(values), len(values), nearest[1])
