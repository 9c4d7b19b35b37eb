"""A text pasted into the form of a plan: new steps, and a report on each piece of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.plans.cases.fitting import runnable
from apps.plans.cases.planned import PlannedStep
from apps.tools.pasted.steps import Pasted, SaidOfOption
from apps.tools.registry import TOOLS


@dataclass(frozen=True)
class PastedPart:
    """A section of the text; without a name, what is about the text as a whole."""

    name: str
    is_step: bool
    said: Sequence[SaidOfOption]

    @property
    def plain(self) -> list[SaidOfOption]:
        """Options that became the parameter that means the same."""
        return [each for each in self.said if each.kind == "understood" and not each.text]

    @property
    def explained(self) -> list[SaidOfOption]:
        """Options that were understood in a way that has to be said."""
        return [each for each in self.said if each.kind == "understood" and each.text]

    @property
    def left(self) -> list[SaidOfOption]:
        """Options that benchlab sees to itself."""
        return [each for each in self.said if each.kind == "left"]

    @property
    def refused(self) -> list[SaidOfOption]:
        """Pieces that are not done."""
        return [each for each in self.said if each.kind == "refused"]


@dataclass(frozen=True)
class PastedReport:
    """The steps of a pasted text, and its sections in their order."""

    steps: Sequence[PlannedStep]
    parts: Sequence[PastedPart]

    @property
    def headline(self) -> str:
        """As in "4 steps were added"."""
        count = len(self.steps)
        if not count:
            return _("No step was added")
        return ngettext("%(n)d step was added", "%(n)d steps were added", count) % {"n": count}


def pasting_tools() -> list[tuple[str, str]]:
    """The tools whose own text can be pasted: name and what it is called."""
    return [(name, _(room.pastes)) for name, room in TOOLS.items() if room.pastes]


def pasted_report(tool: str, text: str, *, places: int) -> PastedReport:
    """The steps that a text for this tool stands for. `places`: most steps that
    the plan has room for."""
    room = runnable(tool)
    pasted = room.steps_from(text) if room is not None else Pasted()
    if len(pasted.steps) > places:
        said = SaidOfOption("refused", "", "", _("A plan has at most 50 steps."))
        pasted = Pasted((), (said, *pasted.said))
    steps = [PlannedStep(tool, step.params, step.name) for step in pasted.steps]
    return PastedReport(steps, _parts(pasted))


def _parts(pasted: Pasted) -> list[PastedPart]:
    parts: list[PastedPart] = []
    kept = [step.name for step in pasted.steps]
    by_section: dict[str, list[SaidOfOption]] = {}
    for said in pasted.said:
        by_section.setdefault(said.section, []).append(said)
    for name, sentences in by_section.items():
        parts.append(PastedPart(name, bool(name) and name[:80] in kept, sentences))
    return parts
