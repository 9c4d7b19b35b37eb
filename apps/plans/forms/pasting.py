"""A text pasted into a plan's form: new steps, and a report on each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.plans.domain.target_matching import runnable_tool
from apps.plans.schemas.plan import StepSpec
from apps.tools.errors import ParamsError, PointError
from apps.tools.pasted_commands.job_import import (
    MAX_TEXT,
    TOO_LONG,
    Commands,
    ImportedStep,
    ImportNote,
    OutputLines,
)
from apps.tools.registry import TOOLS
from apps.tools.step_import.commands import read_commands
from apps.tools.sweep import sweep

MAX_SHOWN_LENGTH = 300


@dataclass(frozen=True)
class PastedLine:
    """A line of the text with the steps that start there, as text, and its notes."""

    number: int
    text: str
    steps: Sequence[str]
    notes: Sequence[ImportNote]


@dataclass(frozen=True)
class PastedReport:
    """The steps of a pasted text, its lines in order, and the text.

    `tuning`: the lines that set the host.
    """

    steps: Sequence[StepSpec]
    lines: Sequence[PastedLine]
    tuning: str
    outputs: Sequence[OutputLines]
    text: str

    @property
    def headline(self) -> str:
        """Return e.g. "4 steps were added"."""
        count = len(self.steps)
        if not count:
            return _("No step was added")
        return ngettext("%(n)d step was added", "%(n)d steps were added", count) % {"n": count}


def pasted_report(text: str, *, max_steps: int) -> PastedReport:
    """Return the report on a text. `places`: the number of steps that the plan may still add."""
    too_long = Commands(notes=(ImportNote(1, TOO_LONG, "refused"),))
    result = read_commands(text) if len(text) <= MAX_TEXT else too_long
    if len(result.steps) > max_steps:
        note = ImportNote(1, _("A plan has at most 50 steps."), "refused")
        result = Commands((), (note, *result.notes), result.tuning, result.outputs)
    return PastedReport(
        steps=[StepSpec(step.tool, step.params, step.name) for step in result.steps],
        lines=_lines(text, result),
        tuning="\n".join(result.tuning),
        outputs=result.outputs,
        text=text,
    )


def _lines(text: str, result: Commands) -> list[PastedLine]:
    """Return the lines that have steps or notes."""
    rows = text.splitlines() or [""]
    steps: dict[int, list[str]] = {}
    notes: dict[int, list[ImportNote]] = {}
    for step in result.steps:
        steps.setdefault(step.line, []).append(step_in_words(step))
    for note in result.notes:
        notes.setdefault(note.line, []).append(note)
    return [
        PastedLine(
            number,
            rows[min(number, len(rows)) - 1].strip()[:MAX_SHOWN_LENGTH],
            steps.get(number, ()),
            notes.get(number, ()),
        )
        for number in sorted({*steps, *notes})
    ]


def step_in_words(step: ImportedStep) -> str:
    """Return e.g. "fio: randwrite 4 KiB, depth 64, 1 job", with the size of a sweep."""
    plugin = runnable_tool(step.tool)
    if plugin is None or plugin.params is None:
        return step.tool
    tests: list[str] = []
    for point in sweep(step.params, plugin.params.fields()):
        try:
            tests.append(plugin.params.from_raw(point).describe())
        except PointError:
            continue
        except ParamsError:
            break
    first = f"{TOOLS[step.tool].label}: {tests[0] if tests else step.name}"
    if len(tests) < 2:
        return first
    more = ngettext("and %(n)d more test", "and %(n)d more tests", len(tests) - 1)
    return f"{first}, {more % {'n': len(tests) - 1}}"
