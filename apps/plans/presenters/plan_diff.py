"""Differences of two plans, as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.plans.domain.param_text import settled
from apps.plans.domain.value_parser import words_of
from apps.plans.presenters.plan_text import background_lines, plan_values
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.targets import PlannedTarget
from apps.plans.selectors.drafts import PlanDraft, background_targets
from apps.tuning.domain.settings import describe

Lines = tuple[str, ...]
Loaded = Mapping[str, PlannedTarget | None]


@dataclass(frozen=True)
class DiffRow:
    """Field that differs: its lines of text in the first and in the second plan."""

    label: str
    first: Lines
    second: Lines


@dataclass(frozen=True)
class DiffSection:
    """Fields that differ. `only_in`: "first" or "second" for a step that one plan alone has."""

    title: str
    rows: Sequence[DiffRow]
    only_in: str = ""


def plan_diff(first: PlanDraft, second: PlanDraft) -> list[DiffSection]:
    """Return what differs, without names; steps of one tool and name are compared in order."""
    sections = [DiffSection(_("Plan"), _rows(_plan_fields(first), _plan_fields(second)))]
    loaded = background_targets(first.spec) | background_targets(second.spec)
    for title, one, other in _step_pairs(first.spec.steps, second.spec.steps):
        only_in = "first" if other is None else "second" if one is None else ""
        rows = _rows(_step_fields(one, loaded), _step_fields(other, loaded))
        sections.append(DiffSection(title, rows, only_in))
    return [section for section in sections if section.rows or section.only_in]


def _rows(first: Mapping[str, Lines], second: Mapping[str, Lines]) -> list[DiffRow]:
    """Return the fields that differ; a missing one has its default."""
    return [
        DiffRow(label, first.get(label, ()), second.get(label, ()))
        for label in {**first, **second}
        if first.get(label, ()) != second.get(label, ())
    ]


def _plan_fields(draft: PlanDraft) -> dict[str, Lines]:
    baseline = draft.baseline_tuning
    return {
        _("Description"): tuple(draft.description.splitlines()),
        _("Targets"): tuple(sorted(str(target) for target in draft.targets)),
        _("Tunings"): tuple(f"{each.name}: {describe(each.settings)}" for each in draft.tunings),
        _("Baseline"): (baseline.name,) if baseline else (),
        **{label: (text,) for label, text in plan_values(draft.spec).items()},
    }


def _step_fields(step: StepSpec | None, loaded: Loaded) -> dict[str, Lines]:
    if step is None:
        return {}
    return {
        **{label: (text,) for label, text in background_lines(step, loaded)},
        **{
            _(field.label): (f"{text} {_(field.unit)}" if field.unit else text,)
            for field, text in settled(step)
        },
        _("Expected"): tuple(words_of(expected) for expected in step.expectations),
    }


def _step_pairs(
    first: Sequence[StepSpec], second: Sequence[StepSpec]
) -> Iterator[tuple[str, StepSpec | None, StepSpec | None]]:
    """Yield a title and the steps that correspond; None where a plan has none."""
    left, right = _by_kind(first), _by_kind(second)
    for tool, name in {**left, **right}:
        ours, theirs = left[tool, name], right[tool, name]
        for index in range(max(len(ours), len(theirs))):
            pair = [steps[index] if index < len(steps) else None for steps in (ours, theirs)]
            title = f"{tool} · {name}" if name else tool
            number = f" ({index + 1})" if max(len(ours), len(theirs)) > 1 else ""
            yield title + number, pair[0], pair[1]


def _by_kind(steps: Sequence[StepSpec]) -> dict[tuple[str, str], list[StepSpec]]:
    result: dict[tuple[str, str], list[StepSpec]] = defaultdict(list)
    for step in steps:
        result[step.tool, step.name].append(step)
    return result
