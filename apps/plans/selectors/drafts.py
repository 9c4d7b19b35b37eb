"""A plan as its author edits it, saved or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Model

from apps.accounts.models import Team
from apps.plans.schemas.plan import EMPTY, PlanSpec
from apps.plans.schemas.planned import PlannedPlan, PlannedTuning
from apps.plans.schemas.targets import PlannedTarget
from apps.plans.selectors.failing_disks import failing_disk
from apps.plans.selectors.target_kinds import target_data
from apps.plans.selectors.target_names import targets_named
from apps.tuning.domain.baseline import default_baseline
from apps.tuning.models import TuningProfile


@dataclass(frozen=True)
class PlanDraft:
    """The editable values of a plan. Saving the plan creates rows of new host pairs.

    Without a `baseline`, the default one of the tuning profiles is used.
    """

    name: str
    description: str = ""
    spec: PlanSpec = EMPTY
    targets: Sequence[Model] = ()
    tunings: Sequence[TuningProfile] = ()
    baseline: TuningProfile | None = None
    team: Team | None = None

    @property
    def baseline_tuning(self) -> TuningProfile | None:
        """Return the profile that the others are compared with; None without profiles."""
        index = default_baseline([tuning.name for tuning in self.tunings])
        return self.baseline or (None if index is None else self.tunings[index])

    def with_known_baseline(self) -> PlanDraft:
        """Return the draft with the default baseline if its own is none of its profiles."""
        return self if self.baseline in self.tunings else replace(self, baseline=None)

    def data(self) -> PlannedPlan:
        """Return the plan for the expansion; select the hosts with their facts before."""
        baseline = self.baseline_tuning
        targets = tuple(target_data(target) for target in self.targets)
        return PlannedPlan(
            spec=self.spec,
            targets=targets,
            tunings=tuple(tuning_data(tuning) for tuning in self.tunings),
            baseline=tuning_data(baseline) if baseline else None,
            name=self.name,
            background_targets=background_targets(self.spec),
            failing=failing_disk(self.spec.disturbance, targets),
        )


def background_targets(spec: PlanSpec) -> dict[str, PlannedTarget | None]:
    """Return the targets of background steps by their text; None for unknown ones."""
    values = {step.target for step in spec.steps if step.is_background and step.target}
    result: dict[str, PlannedTarget | None] = {}
    for value in sorted(values):
        rows = targets_named([value])
        result[value] = target_data(rows[0]) if rows else None
    return result


def tuning_data(tuning: TuningProfile) -> PlannedTuning:
    return PlannedTuning(tuning.pk, tuning.name, tuning.settings, tuning.settle_seconds)
