"""A report: results in order, with what they are about and how to read them."""

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
from apps.common.domain.preferences import moment_text
from apps.runs.models import Run
from apps.runs.presenters.run_facts import plan_steps
from apps.runs.selectors.runs import baseline_of
from apps.tools.workloads.order import names_in_order

OF_A_RUN = ("compare", "sweep", "table", "network", "medians")
"""The views in a run's report, as far as they have anything to show."""


SENTENCES = 4
SMALL = 280
"""Pixels of the chart on a run's page."""
HIGHEST = 420
"""Pixels of lying bars there: some twelve workloads under two tunings."""


@dataclass(frozen=True)
class ReportPart:
    """A section of a report: Markdown that a person wrote, an result, or both. `error` says why
    there is no result to the section's question.
    """

    title: str = ""
    text: str = ""
    result: AnalysisResult | None = None
    error: str = ""


@dataclass(frozen=True)
class Report:
    """`text`: Markdown that a person wrote; `facts`: (name, text) about the report itself;
    `reading`: statistics in plain words; `conditions`: those of its figures. `name` is the file's,
    without its ending.
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
        """The headline of the first result, which stands before everything else."""
        return next((result.headline for result in self.results if not result.empty), ())

    @property
    def below(self) -> tuple[ReportPart, ...]:
        """The parts as they stand below the headline: the first result does not repeat it."""
        answered = (part for part in self.parts if part.result and not part.result.empty)
        first = next(answered, None)
        return tuple(without_headline(part) if part is first else part for part in self.parts)

    @property
    def results(self) -> tuple[AnalysisResult, ...]:
        """All results, in order."""
        return tuple(part.result for part in self.parts if part.result is not None)


def report_of_run(run: Run) -> Report:
    """Everything that can be said of one run, by its own results."""
    asked = QueryDict(f"run={run.pk}")
    every = [VIEWS[view].analyse(asked) for view in OF_A_RUN]
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
    """The part below a headline that is its result's own."""
    if part.result is None:
        return part
    return replace(part, result=replace(part.result, headline=()))


def conditions_of_run(run: Run) -> tuple[BasisItem, ...]:
    """The conditions of a run's figures."""
    return conditions_of(OF_A_RUN[0], f"run={run.pk}")


@dataclass(frozen=True)
class ReportSummary:
    """The first part of a finished run's page."""

    headline: tuple[Finding, ...]
    chart: Chart | None
    medians: Table | None


def summary_of_run(run: Run) -> ReportSummary:
    """The comparison's headline whole, then the sweep's sentences; the chart of the first result
    that has anything to show; the medians.
    """
    asked = QueryDict(f"run={run.pk}")
    sweep, compare, medians = (
        VIEWS[view].analyse(asked) for view in ("sweep", "compare", "medians")
    )
    first = next((one for one in (sweep, compare, medians) if not one.empty), medians)
    headline = (*compare.headline, *(sweep.headline or medians.headline))
    headline = headline[: max(SENTENCES, len(compare.headline))]
    chart = next(iter(first.charts), None)
    return ReportSummary(headline, small(chart) if chart else None, medians.table("medians"))


def small(chart: Chart) -> Chart:
    """The first panel of a chart, low enough for a page about something else. Lying bars keep all
    their panels, each of which is about other workloads, and the height that their names need.
    """
    figure = chart.figure
    if any(trace.get("orientation") == "h" for trace in figure["data"]):
        height = min(chart.height, HIGHEST)
        layout = {**figure["layout"], "height": height}
        return replace(chart, figure={"data": figure["data"], "layout": layout}, height=height)
    return replace(chart, figure=_first_panel(figure), height=SMALL)


def _first_panel(figure: ChartFigure) -> ChartFigure:
    layout = {key: value for key, value in figure["layout"].items() if _is_first(key)}
    data = [trace for trace in figure["data"] if trace.get("yaxis", "y") == "y"]
    more = {
        "yaxis": {**layout["yaxis"], "domain": [0, 1]},
        "xaxis": {**layout["xaxis"], "anchor": "y"},
        "height": SMALL,
        "shapes": [shape for shape in layout.get("shapes", []) if shape["type"] != "line"],
        "annotations": [],
    }
    return {"data": data, "layout": layout | more}


def _is_first(key: str) -> bool:
    return not (key.startswith("yaxis") and key != "yaxis")


def title_of(run: Run) -> str:
    """The title of a run's report."""
    return f"{run.name} #{run.pk}"


def facts_of_run(run: Run) -> Iterator[tuple[str, str]]:
    """Facts that a run's report begins with."""
    yield _("Run"), f"#{run.pk} {run.name}"
    yield _("Launched by"), str(run.owner or "–")
    for name, moment in ((_("Started"), run.started_at), (_("Ended"), run.finished_at)):
        if moment is not None:
            yield name, moment_text(moment)
    yield _("Hosts"), _names(run.targets.values_list("members__host__name", flat=True))
    yield _("Targets"), _names(run.targets.values_list("name", flat=True))
    yield _("Tunings"), _names(run.tunings.values_list("name", flat=True))
    yield _("Baseline"), baseline_of(run) or "–"
    for name, params in plan_steps(run):
        yield _("Step"), f"{name}: {params}"
    yield _("Made"), moment_text(timezone.now())


def _names(found: Iterable[str | None]) -> str:
    """Names, each once, in order; a dash where there are none."""
    return ", ".join(names_in_order({name for name in found if name})) or "–"


def reading_guide() -> tuple[str, ...]:
    """Instructions for reading the figures."""
    return (
        _(
            "A figure is the median of its repeats: half of them lie above, half below. The "
            "interval beside a change belongs to its verdict: all intervals of one comparison hold "
            "the true changes together 95 times in 100."
        ),
        _(
            "“Better” and “worse” are said only where chance alone would hardly do it: of all "
            "comparisons of this report together, at most 5 reports in 100 call a difference "
            "where there is none. “No difference shown” does not mean that there is none: it was "
            "not seen with so many repeats."
        ),
        _(
            "“Too few repeats” means that no result could have shown anything; “not comparable” "
            "that more than what is compared differs."
        ),
    )
