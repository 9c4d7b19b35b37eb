"""Analysis view "network": bandwidth and latency between the hosts of a run."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.network.delta import mesh_delta
from apps.analysis.network.figures import BASE, ROW, figure_text, mesh_map
from apps.analysis.network.forms import MeshForm
from apps.analysis.network.mesh import METRICS_BY_OPERATION, Mesh, MeshLink, mesh_of, run_mesh_links
from apps.analysis.queries.errors import query_error
from apps.analysis.queries.run_links import run_links
from apps.analysis.queries.run_query import RunQuery, parse_run_query
from apps.analysis.queries.selection import parts_of
from apps.analysis.result import (
    AnalysisResult,
    Chart,
    Column,
    Finding,
    Link,
    Row,
    Table,
    metric_column,
)
from apps.tools.metrics import METRICS

KEY = "network"
TITLE = lazy("Network between the hosts")
_CHOICES = {"figure", "workload", "tuning", "against"}


def accepts(name: str) -> bool:
    """Return True if a network query may contain this name."""
    return name in _CHOICES or name in parts_of(KEY)


def parse_query(data: QueryDict) -> RunQuery:
    """Parse a query, in which `workload` is a name. Raises: ServiceError (400) if it is invalid."""
    return parse_run_query(data, KEY)


def compute(query: RunQuery) -> AnalysisResult:
    """Return the matrix of one metric. Raises: ServiceError (400) for an invalid choice."""
    runs = query.runs()
    links = [link for run in runs for link in run_mesh_links(run, query.within)]
    if not links:
        text = _("No pair of hosts was measured.")
        return AnalysisResult(KEY, str(TITLE), query.urlencode(), empty=text)
    form = MeshForm(query.chosen, links)
    if not form.is_valid():
        raise query_error(form.errors)
    chosen = form.chosen()
    workload_and_tuning = (chosen.get("workload"), chosen.get("tuning"))
    pair_links = [link for link in links if (link.workload, link.tuning) == workload_and_tuning]
    mesh = mesh_of(pair_links, chosen["figure"])
    base = form.base
    delta = mesh_delta(query.selected, base, mesh, pair_links, chosen["tuning"]) if base else None
    title = _("{figure} between the hosts").format(figure=_(METRICS[mesh.figure].label))
    figure = mesh_map(mesh, {"client": _("Client"), "server": _("Server")})
    height = BASE + ROW * max(3, len(mesh.hosts))
    return AnalysisResult(
        view=KEY,
        title=title,
        query=query.urlencode(),
        subject=" · ".join(part for part in workload_and_tuning if part),
        headline=delta.headline if delta else _headline(mesh),
        next_steps=(*([delta.link] if delta else []), *_histories(mesh, pair_links)),
        charts=(
            *([delta.chart] if delta else []),
            Chart("mesh", title, title, figure, height),
        ),
        tables=(*([delta.table] if delta else []), _matrix(mesh), _tests_table(pair_links)),
        notes=_missing_notes(mesh),
        links=run_links(runs),
    )


def _histories(mesh: Mesh, links: Sequence[MeshLink]) -> tuple[Link, ...]:
    """Return a link to the history of the worst pair."""
    ranked = mesh.extremes(METRICS[mesh.figure].higher_is_better is not False)
    worst = ranked[0][:2] if ranked else ()
    result = next((one for one in links if (one.client, one.server) == worst and one.history), None)
    if result is None:
        return ()
    text = _("History of {client} → {server}").format(client=result.client, server=result.server)
    return (Link(text, f"{reverse('history')}?{result.history}"),)


def _headline(mesh: Mesh) -> tuple[Finding, ...]:
    ranked = mesh.extremes(METRICS[mesh.figure].higher_is_better is not False)
    if not ranked:
        return ()
    client, server, worst = ranked[0]
    text = _("Worst pair: {client} → {server}, {figure}.")
    first = text.format(client=client, server=server, figure=_figure(mesh, worst.value))
    if len(ranked) < 2:
        return (Finding(first),)
    client, server, best = ranked[-1]
    text = _("Best pair: {client} → {server}, {figure}.")
    second = text.format(client=client, server=server, figure=_figure(mesh, best.value))
    return (Finding(first), Finding(second))


def _figure(mesh: Mesh, value: float | None) -> str:
    return figure_text(mesh.figure, value or 0.0)


def _missing_notes(mesh: Mesh) -> tuple[str, ...]:
    return tuple(f"{client} → {server}: {why}" for client, server, why in mesh.missing)


def _matrix(mesh: Mesh) -> Table:
    columns = [
        metric_column(mesh.figure, title=f"→ {host}", name=f"to {host}", network=True)
        for host in mesh.hosts
    ]
    rows = [
        Row((client, *(mesh.cell(client, server).value for server in mesh.hosts)))
        for client in mesh.hosts
    ]
    note = _("Clients down, servers across; with repeats the median.")
    head = Column("client", _("Client"))
    return Table("matrix", _("Every pair"), (head, *columns), tuple(rows), note)


def _tests_table(links: Sequence[MeshLink]) -> Table:
    """Return every test with all its metrics, or the reason without one."""
    columns = (
        Column("client", _("Client")),
        Column("server", _("Server")),
        Column("repeat", _("Repeat"), "number"),
        *(metric_column(name, network=True) for name in METRICS_BY_OPERATION),
        Column("why", _("Why not")),
    )
    rows = [
        Row(
            (
                link.client,
                link.server,
                link.repeat,
                *map(link.value, METRICS_BY_OPERATION),
                link.why,
            ),
            link.case,
        )
        for link in links
    ]
    return Table("tests", _("Every test"), columns, tuple(rows), folded=True)


__all__ = ["KEY", "TITLE", "accepts", "compute", "parse_query"]
