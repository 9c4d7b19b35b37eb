"""Plans from a disk or pool: a question, loads and a time become steps. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.preconditioning import NOTHING, Preconditioning
from apps.tools.advice import LONG_ENOUGH_SECONDS, RAMP_SECONDS
from apps.tools.plan_templates import LoadTarget, PlanLoad
from apps.tools.registry import TOOLS

SCHEDULERS, DEPTHS, AS_IT_IS = "schedulers", "depths", "as-it-is"
QUESTIONS: Mapping[str, str | Promise] = {
    SCHEDULERS: lazy("Which I/O scheduler is best"),
    DEPTHS: lazy("Which queue depth is worthwhile"),
    AS_IT_IS: lazy("How fast it is with the host defaults"),
}
EACH_DEPTH = ["1", "2", "4", "8", "16", "32", "64", "128"]
SECONDS: Mapping[int, str | Promise] = {
    10: lazy("10 s: a first look"),
    60: lazy("1 min"),
    300: lazy("5 min: long enough for a report"),
}


@dataclass(frozen=True)
class PlanWizard:
    """Input of the wizard: one of QUESTIONS, keys of `loads(kind)`, seconds of a test."""

    question: str
    loads: Sequence[str]
    seconds: int
    kind: LoadTarget = "disk"

    @property
    def steps(self) -> list[StepSpec]:
        """Return one step a load; writes first, because reads need their data."""
        chosen = [load for key, load in loads(self.kind).items() if key in self.loads]
        return [self._step(*one) for one in sorted(chosen, key=lambda row: row[1].reads)]

    def _step(self, tool: str, load: PlanLoad) -> StepSpec:
        params = {**load.params, load.time: self.seconds}
        if load.ramp and self.seconds >= LONG_ENOUGH_SECONDS:
            params[load.ramp] = RAMP_SECONDS
        if load.space:
            params[load.space] = None
        if self.question == DEPTHS:
            params[load.depth] = EACH_DEPTH
        return StepSpec(tool, params, _(load.name))

    @property
    def preconditioning(self) -> Preconditioning:
        """Return a sequential fill: reads of unwritten blocks measure nothing."""
        known = loads(self.kind)
        reads = any(known[key][1].reads for key in self.loads)
        return Preconditioning(sequential_fills=1) if reads else NOTHING


def loads(kind: LoadTarget = "disk") -> Mapping[str, tuple[str, PlanLoad]]:
    """Return (tool, load) of all tools for such a target by key, in the order of the tools."""
    return {
        key: (plugin.name, load)
        for plugin in TOOLS.values()
        for key, load in plugin.loads.items()
        if load.target == kind
    }


def questions_for(schedulers: Sequence[str]) -> list[tuple[str, str | Promise]]:
    """Return the questions that apply to a target whose disks offer these schedulers."""
    return [row for row in QUESTIONS.items() if row[0] != SCHEDULERS or len(schedulers) > 1]
