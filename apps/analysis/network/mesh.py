"""A run's network figures between its hosts, as a matrix of client and server.

A cell is the median of a pair's valid repeats; a pair without one says why.
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
from apps.results.models import Figure
from apps.results.selectors.results import figures_that_count
from apps.runs.models import Case, CaseState, Run
from apps.runs.presenters.workloads import labels_of, run_workloads

# What the receiving end counted is what arrived; only the sending end knows of retransmits.
METRICS_BY_OPERATION: Mapping[str, tuple[str, ...]] = {
    "bandwidth": ("receive", "send"),
    "retransmits": ("send",),
    "loss": ("receive", "send"),
    "jitter": ("receive", "send"),
    "round_trip": ("send",),
}
ENDED: Mapping[str, object] = {
    CaseState.PENDING: lazy("not measured yet"),
    CaseState.RUNNING: lazy("being measured now"),
    CaseState.CANCELLED: lazy("cancelled"),
    CaseState.SKIPPED: lazy("skipped"),
    CaseState.LOST: lazy("lost"),
}


@dataclass(frozen=True)
class MeshLink:
    """One case between two hosts: figures by operation as the tool gave them (bytes/s, ns, %), or
    why there are none. `key`: its workload's; `pair`: the lab's row of both hosts, None where it is
    gone, as of an import.
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
        """The query of this pair's history; empty where there is no row of it."""
        return urlencode({"workload": self.key, "target": self.pair}) if self.pair else ""

    def value(self, name: str) -> float | None:
        """A figure of the first end that knows it."""
        for operation in METRICS_BY_OPERATION[name]:
            found = self.figures.get(operation, {}).get(name)
            if found is not None:
                return found
        return None


@dataclass(frozen=True)
class PairCell:
    """A cell: the repeats' median and extremes, or `why` there is none."""

    value: float | None = None
    least: float | None = None
    most: float | None = None
    repeats: int = 0
    case: int | None = None
    why: str = ""


@dataclass(frozen=True)
class Mesh:
    """Cells by (client, server); every host that is either, in the order of their names."""

    figure: str
    hosts: tuple[str, ...]
    places: Mapping[tuple[str, str], PairCell]

    def place(self, client: str, server: str) -> PairCell:
        """A cell; also of what was not part of the run."""
        if client == server:
            return PairCell(why=_("a host is not measured against itself"))
        return self.places.get((client, server), PairCell(why=_("not part of this run")))

    def extremes(self, higher_is_better: bool) -> list[tuple[str, str, PairCell]]:
        """The measured pairs, the worst first."""
        found = [(c, s, place) for (c, s), place in self.places.items() if place.value is not None]
        return sorted(found, key=lambda row: row[2].value or 0.0, reverse=not higher_is_better)

    @property
    def lacking(self) -> list[tuple[str, str, str]]:
        """The pairs of the run that have no figure: client, server, why."""
        return [(c, s, place.why) for (c, s), place in self.places.items() if place.value is None]


def run_mesh_links(run: Run, within: Selection = EVERYTHING) -> list[MeshLink]:
    """Every case of a run that is about a pair of hosts, in the order of execution; `within` a
    selection those alone that have a result.
    """
    cases = (
        run.cases.filter(run_target__kind="pair")
        .select_related("workload", "run_tuning", "run_target__target__pair")
        .prefetch_related("run_target__members")
        .order_by("position")
    )
    found = list(cases)
    if not within.is_empty:
        # By its keys: as a subquery PostgreSQL may hold each case against each figure.
        chosen = narrowed(Figure.objects.filter(run=run), within).order_by()
        kept = set(chosen.values_list("case_id", flat=True))
        found = [case for case in found if case.pk in kept]
    figures = _figures(run, [case.pk for case in found])
    labels = labels_of(run_workloads(run))
    return [
        _link(
            case,
            labels.get(case.workload_id) or workload_name(case.workload),
            figures.get(case.pk, {}),
        )
        for case in found
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
        why="" if figures else _why(case),
        figures=figures,
        key=case.workload.key,
        pair=_pair_of(case),
    )


def _pair_of(case: Case) -> int | None:
    target = case.run_target.target
    found = getattr(target, "pair", None) if target is not None else None
    return found.pk if found is not None else None


def _why(case: Case) -> str:
    if case.state == CaseState.SUCCEEDED:
        return _("its figures are not valid")
    if case.state == CaseState.FAILED:
        return case.reason or _("failed")
    return str(ENDED[case.state])


def _figures(run: Run, cases: Sequence[int]) -> dict[int, dict[str, dict[str, float | None]]]:
    """Case -> operation -> figure, those that count only; of cases by their keys."""
    counting = figures_that_count().filter(run=run, case__in=cases)
    rows = counting.values_list("case_id", "operation", "bandwidth", "measurement__values")
    found: dict[int, dict[str, dict[str, float | None]]] = {}
    for case, operation, bandwidth, values in rows:
        named = {
            name: _number(values.get(name)) for name in METRICS_BY_OPERATION if name != "bandwidth"
        }
        found.setdefault(case, {})[operation] = {"bandwidth": bandwidth, **named}
    return found


def _number(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if known else None  # type: ignore[arg-type]  # `known` is the check


def known_metrics(links: Iterable[MeshLink]) -> list[str]:
    """The figures that any pair has."""
    every = list(links)
    return [
        name for name in METRICS_BY_OPERATION if any(link.value(name) is not None for link in every)
    ]


def mesh_of(links: Sequence[MeshLink], figure: str) -> Mesh:
    """The matrix of one figure; `links` are of one workload under one tuning."""
    hosts = sorted({name for link in links for name in (link.client, link.server)})
    pairs: dict[tuple[str, str], list[MeshLink]] = {}
    for link in links:
        pairs.setdefault((link.client, link.server), []).append(link)
    places = {
        pair: _position(found, lambda link: link.value(figure)) for pair, found in pairs.items()
    }
    return Mesh(figure, tuple(hosts), places)


def _position(links: Sequence[MeshLink], value_of: Callable[[MeshLink], float | None]) -> PairCell:
    known = [(value, link.case) for link in links if (value := value_of(link)) is not None]
    if not known:
        reasons = dict.fromkeys(link.why for link in links if link.why)
        return PairCell(why="; ".join(reasons) or _("the tool did not say"), case=links[-1].case)
    values = [value for value, _case in known]
    middle = statistics.median(values)
    nearest = min(known, key=lambda pair: abs(pair[0] - middle))
    return PairCell(middle, min(values), max(values), len(values), nearest[1])
