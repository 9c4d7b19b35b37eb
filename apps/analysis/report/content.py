"""Content of a report: results in order, facts about the report, a reading guide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.analysis.registry import VIEWS
from apps.analysis.report.conditions import conditions_of
from apps.analysis.result import AnalysisResult, BasisItem, Chart, Finding, Table
from apps.common.domain.charts import ChartFigure
from apps.common.domain.preferences import timestamp_text
from apps.runs.models import Run
from apps.runs.presenters.run_facts import plan_steps
from apps.runs.selectors.runs import baseline_of
from apps.tools.workloads.order import names_in_order

RUN_REPORT_VIEWS = ("compare", "sweep", "table", "network", "medians")
"""Views of a run's report; empty ones are omitted."""


MAX_FINDINGS = 4
SMALL_HEIGHT = 280
"""Pixels of the chart on a run's page."""
MAX_BARS_HEIGHT = 420
"""Limit in pixels of a horizontal bar chart there: some twelve workloads under two tunings."""


@dataclass(frozen=True)
class ReportPart:
    """Section of a report: Markdown of a user, a result, or both.

    `error`: why the query has no result.
    """

    title: str = ""
    text: str = ""
    result: AnalysisResult | None = None
    error: str = ""


@dataclass(frozen=True)
class Report:
    """Report as data.

    `text`: Markdown of a user; `facts`: (name, text) about the report; `reading`: explanation of
    the statistics; `conditions`: of its results; `name`: file name without suffix.
    """

    title: str
    name: str
    facts: tuple[tuple[str, str], ...]
    text: str
    parts: tuple[ReportPart, ...]
    reading: tuple[str, ...]
    conditions: tuple[BasisItem, ...] = ()

    @property
    def headline(self) -> tuple[Finding, ...]:
        """Return the headline of the first result."""
        return next((result.headline for result in self.results if not result.empty), ())

    @property
    def below(self) -> tuple[ReportPart, ...]:
        """Return the parts below the headline: the first result without its own."""
        non_empty = (part for part in self.parts if part.result and not part.result.empty)
        first = next(non_empty, None)
        return tuple(without_headline(part) if part is first else part for part in self.parts)

    @property
    def results(self) -> tuple[AnalysisResult, ...]:
        """Return all results, in order."""
        return tuple(part.result for part in self.parts if part.result is not None)


def report_of_run(run: Run) -> Report:
    """Return the report of a run."""
    query = QueryDict(f"run={run.pk}")
    every = [VIEWS[view].analyse(query) for view in RUN_REPORT_VIEWS]
    return Report(
        title=title_of(run),
        name=f"run-{run.pk}",
        facts=tuple(facts_of_run(run)),
        text=run.note,
        parts=tuple(
            ReportPart(result.title, result=result) for result in every if not result.empty
        ),
        reading=reading_guide(),
        conditions=conditions_of_run(run),
    )


def without_headline(part: ReportPart) -> ReportPart:
    """Return the part without its result's headline."""
    if part.result is None:
        return part
    return replace(part, result=replace(part.result, headline=()))


def conditions_of_run(run: Run) -> tuple[BasisItem, ...]:
    """Return the conditions of a run's results."""
    return conditions_of(RUN_REPORT_VIEWS[0], f"run={run.pk}")


@dataclass(frozen=True)
class ReportSummary:
    """First part of an ended run's page."""

    headline: tuple[Finding, ...]
    chart: Chart | None
    medians: Table | None


def summary_of_run(run: Run) -> ReportSummary:
    """Return headlines of comparison and sweep, the first non-empty chart, and the medians."""
    query = QueryDict(f"run={run.pk}")
    sweep, compare, medians = (
        VIEWS[view].analyse(query) for view in ("sweep", "compare", "medians")
    )
    first = next((one for one in (sweep, compare, medians) if not one.empty), medians)
    headline = (*compare.headline, *(sweep.headline or medians.headline))
    headline = headline[: max(MAX_FINDINGS, len(compare.headline))]
    chart = next(iter(first.charts), None)
    return ReportSummary(headline, small(chart) if chart else None, medians.table("medians"))


def small(chart: Chart) -> Chart:
    """Return the first panel of a chart, with a small height.

    Horizontal bars keep all panels, as each has other workloads, and a height for their names.
    """
    figure = chart.figure
    if any(trace.get("orientation") == "h" for trace in figure["data"]):
        height = min(chart.height, MAX_BARS_HEIGHT)
        layout = {**figure["layout"], "height": height}
        return replace(chart, figure={"data": figure["data"], "layout": layout}, height=height)
    return replace(chart, figure=_first_panel(figure), height=SMALL_HEIGHT)


def _first_panel(figure: ChartFigure) -> ChartFigure:
    layout = {key: value for key, value in figure["layout"].items() if _is_first_panel(key)}
    data = [trace for trace in figure["data"] if trace.get("yaxis", "y") == "y"]
    more = {
        "yaxis": {**layout["yaxis"], "domain": [0, 1]},
        "xaxis": {**layout["xaxis"], "anchor": "y"},
        "height": SMALL_HEIGHT,
        "shapes": [shape for shape in layout.get("shapes", []) if shape["type"] != "line"],
        "annotations": [],
    }
    return {"data": data, "layout": layout | more}


def _is_first_panel(key: str) -> bool:
    return not (key.startswith("yaxis") and key != "yaxis")


def title_of(run: Run) -> str:
    """Return the title of a run's report."""
    return f"{run.name} #{run.pk}"


def facts_of_run(run: Run) -> Iterator[tuple[str, str]]:
    """Yield the facts of a run's report."""
    yield _("Run"), f"#{run.pk} {run.name}"
    yield _("Launched by"), str(run.owner or "–")
    for name, timestamp in ((_("Started"), run.started_at), (_("Ended"), run.finished_at)):
        if timestamp is not None:
            yield name, timestamp_text(timestamp)
    yield _("Hosts"), _names(run.targets.values_list("members__host__name", flat=True))
    yield _("Targets"), _names(run.targets.values_list("name", flat=True))
    yield _("Tunings"), _names(run.tunings.values_list("name", flat=True))
    yield _("Baseline"), baseline_of(run) or "–"
    for name, params in plan_steps(run):
        yield _("Step"), f"{name}: {params}"
    yield _("Made"), timestamp_text(timezone.now())


def _names(result: Iterable[str | None]) -> str:
    """Return distinct names in order; a dash without names."""
    return ", ".join(names_in_order({name for name in result if name})) or "–"


def reading_guide() -> tuple[str, ...]:
    """Return paragraphs that explain the statistics."""
    return (
        _(
            "A figure is the median of its repeats: half of them lie above, half below. The "
            "interval beside a change belongs to its verdict: all intervals of one comparison hold "
            "the true changes together 95 times in 100."
        ),
        _(
            "“Better” and “worse” mean that chance alone is an unlikely cause: of all "
            "comparisons of this report together, at most 5 reports in 100 call a difference "
            "where there is none. “No difference shown” does not mean that there is none: it was "
            "not seen with so many repeats."
        ),
        _(
            "“Too few repeats” means that no result could have shown anything; “not comparable” "
            "that more than what is compared differs."
        ),
    )
