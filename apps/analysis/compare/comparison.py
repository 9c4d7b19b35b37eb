"""A comparison from a question: the one function that the page, the API and scripts call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from apps.analysis.compare.groups import Grouped, group_repeats
from apps.analysis.compare.judge import Result, judge
from apps.analysis.compare.levels import (
    Levels,
    levels_of,
    params_that_vary,
    swept_params,
    with_param,
)
from apps.analysis.compare.question import Question
from apps.analysis.compare.repeats import Repeat
from apps.analysis.compare.selectors import LeftOut, left_out, repeats_of, runs_of
from apps.runs.models import Run
from apps.tools.metrics import COMPARED
from apps.tools.order import name_key, names_in_order, operations_in_order
from apps.tuning.order import tuning_key


@dataclass(frozen=True)
class Choices:
    """What the question could be narrowed to, for the form. `params`: name to label."""

    params: Mapping[str, str] = field(default_factory=dict)
    operations: tuple[str, ...] = ()
    hosts: tuple[tuple[int, str], ...] = ()
    disks: tuple[tuple[int, str], ...] = ()
    targets: tuple[str, ...] = ()
    tunings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The answer. `tested`: the metrics that verdicts are about; `family`: how many comparisons
    were corrected together; `alone`: results that nothing stands against.

    `proposed`: where only one tuning was measured, the parameters to compare by instead, the best
    first, and whether they are numbers.
    """

    question: Question
    runs: tuple[Run, ...]
    levels: tuple[str, ...]
    results: tuple[Result, ...]
    tested: tuple[str, ...]
    family: int
    used: int
    alone: int
    left_out: LeftOut
    choices: Choices = field(default_factory=Choices)
    proposed: Mapping[str, bool] = field(default_factory=dict)

    @property
    def sweep(self) -> str:
        """The swept number to compare by when nobody asked for a factor; else empty."""
        return next((name for name, is_number in self.proposed.items() if is_number), "")

    @property
    def baseline(self) -> str:
        return self.levels[0] if self.levels else ""

    @property
    def headline(self) -> str:
        """The metric that a summary is about."""
        return self.tested[0] if self.tested else COMPARED[0]


def compare_runs(
    *,
    runs: Iterable[int] | None = None,
    plan: int | None = None,
    factor: str = "tuning",
    baseline: str = "",
    operation: str = "",
    metrics: Sequence[str] = (),
    host: int | None = None,
    disk: int | None = None,
    target: str = "",
    tuning: str = "",
    minimum: float = 0.0,
) -> Comparison:
    """Compare runs (ids), or all runs of a plan (id), by a factor. The arguments are those of the
    page's address (docs/usage/compare.md); `minimum` is in percent. Raises Refused when the runs
    have too many results.
    """
    question = Question(
        runs=tuple(sorted(set(runs or ()))),
        plan=plan,
        factor=factor,
        baseline=baseline,
        operation=operation,
        metrics=tuple(metrics),
        host=host,
        disk=disk,
        target=target,
        tuning=tuning,
        minimum=minimum,
    )
    return answer(question)


def answer(question: Question) -> Comparison:
    """The comparison a question asks for. Raises Refused (400) when it has too many results."""
    runs = runs_of(question)
    ids = [run.pk for run in runs]
    every = repeats_of(ids) if ids else []
    wanted = [repeat for repeat in every if _wanted(repeat, question)]
    repeats, levels, found = _group(every, question)
    results, tested, family = judge(found.groups, levels, question)
    label = params_that_vary(every).get(question.param, question.param)
    return Comparison(
        question=question,
        runs=tuple(runs),
        levels=levels.labels,
        results=results,
        tested=tested,
        family=family,
        used=len(repeats) - found.alone,
        alone=found.alone,
        left_out=_left_out(ids, len(wanted) - len(repeats), label),
        choices=_choices(every),
        proposed=swept_params(repeats) if _only_one(levels, question) else {},
    )


def _left_out(ids: Sequence[int], without: int, label: str) -> LeftOut:
    """`without`: results whose workloads do not have the parameter of this label."""
    found = left_out(ids) if ids else LeftOut({}, {})
    if not without:
        return found
    said = _("their tests have no parameter “{name}”, or it is not known")
    return replace(found, results={**found.results, said.format(name=label): without})


def _only_one(levels: Levels, question: Question) -> bool:
    return question.factor == "tuning" and len(levels.labels) == 1


def grouped(question: Question) -> Grouped:
    """The groups alone, for charts that need no verdict."""
    ids = [run.pk for run in runs_of(question)]
    return _group(repeats_of(ids) if ids else [], question)[2]


def _group(every: list[Repeat], question: Question) -> tuple[list[Repeat], Levels, Grouped]:
    wanted = [repeat for repeat in every if _wanted(repeat, question)]
    repeats = with_param(wanted, question.param)
    levels = levels_of(repeats, question)
    return repeats, levels, group_repeats(repeats, levels, question)


def _wanted(repeat: Repeat, question: Question) -> bool:
    here = repeat.conditions
    return (
        question.operation in ("", repeat.operation)
        and question.host in (None, here.host)
        and question.disk in (None, here.disk)
        and question.target in ("", here.target_label)
        and question.tuning in ("", here.tuning_name)
    )


def _by_name(rows: Iterable[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    return tuple(sorted(rows, key=lambda row: (name_key(row[1]), row[0])))


def _choices(repeats: Sequence[Repeat]) -> Choices:
    here = list({id(repeat.conditions): repeat.conditions for repeat in repeats}.values())
    return Choices(
        params=params_that_vary(repeats),
        operations=tuple(operations_in_order((r.point.tool, r.operation) for r in repeats)),
        hosts=_by_name({(c.host, c.host_name) for c in here}),
        disks=_by_name({(c.disk, c.target_label) for c in here if c.disk is not None}),
        targets=tuple(names_in_order(c.target_label for c in here)),
        tunings=tuple(sorted({c.tuning_name for c in here}, key=tuning_key)),
    )
