"""A plan as its author decides it, saved or not: rows of the lab, steps as written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Model

from apps.accounts.models import Team
from apps.plans.cases.exchange import TUNING
from apps.plans.cases.planned import INTERLEAVED, PlainPlan, PlannedStep, PlannedTuning
from apps.plans.cases.until import until_of
from apps.plans.preparation.contract import NOTHING, Preparation
from apps.plans.rounds import NO_ROUNDS, Rounds
from apps.plans.targets.kinds import target_data
from apps.tuning.models import TuningProfile
from apps.tuning.order import default_baseline

from .models import TestPlan


@dataclass(frozen=True)
class PlanDraft:
    """Everything about a plan that its author decides. Steps, targets and tunings are in order; a
    pair of hosts may have no row yet: saving the plan makes it. Without a `baseline` it is the
    default one of the tunings.
    """

    name: str
    description: str = ""
    repeats: int = 6
    order: str = TestPlan.Order.INTERLEAVED.value
    steps: Sequence[PlannedStep] = ()
    targets: Sequence[Model] = ()
    tunings: Sequence[TuningProfile] = ()
    baseline: TuningProfile | None = None
    unapplied: str = TestPlan.Unapplied.REFUSE.value
    preparation: Preparation = NOTHING
    rounds: Rounds = NO_ROUNDS
    team: Team | None = None
    until_within: float | None = None
    until_blocks: int | None = None
    until_hours: float | None = None
    until_factor: str = TUNING
    saturates: str = ""

    @property
    def baseline_tuning(self) -> TuningProfile | None:
        """The tuning that the others are compared with; None without tunings."""
        place = default_baseline([tuning.name for tuning in self.tunings])
        return self.baseline or (None if place is None else self.tunings[place])

    def with_known_baseline(self) -> PlanDraft:
        """The draft with the default baseline, where its baseline is none of its tunings."""
        return self if self.baseline in self.tunings else replace(self, baseline=None)

    def data(self) -> PlainPlan:
        """The draft for the expansion. Hosts and their facts are read: select them with the
        targets.
        """
        return PlainPlan(
            steps=tuple(self.steps),
            targets=tuple(target_data(target) for target in self.targets),
            tunings=tuple(tuning_data(tuning) for tuning in self.tunings),
            baseline=tuning_data(self.baseline_tuning) if self.baseline_tuning else None,
            repeats=1 if self.rounds else self.repeats,
            order=INTERLEAVED if self.rounds else self.order,
            unapplied=self.unapplied,
            preparation=self.preparation,
            rounds=self.rounds,
            name=self.name,
            saturates=self.saturates,
            saturates_hours=self.until_hours if self.saturates else None,
            until=until_of(
                self.until_within, self.until_blocks, self.until_hours, self.until_factor
            ),
        )


def tuning_data(tuning: TuningProfile) -> PlannedTuning:
    return PlannedTuning(tuning.pk, tuning.name, tuning.settings, tuning.settle)
