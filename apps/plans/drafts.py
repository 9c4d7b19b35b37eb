"""A plan as its author decides it, saved or not: rows of the lab, steps as written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.accounts.models import Team
from apps.inventory.models import Directory, Disk, Host
from apps.tuning.models import TuningProfile

from .data import HostData, PlanData, StepData, TargetData, TuningData
from .models import TestPlan


@dataclass(frozen=True)
class PlanDraft:
    """Everything about a plan that its author decides. Steps and targets are in order."""

    name: str
    description: str = ""
    repeats: int = 6
    order: str = TestPlan.Order.INTERLEAVED.value
    steps: Sequence[StepData] = ()
    targets: Sequence[Disk | Directory] = ()
    tunings: Sequence[TuningProfile] = ()
    team: Team | None = None

    def data(self) -> PlanData:
        """The draft for the expansion. Hosts and their facts are read: select them with the
        targets.
        """
        return PlanData(
            steps=tuple(self.steps),
            targets=tuple(target_data(target) for target in self.targets),
            tunings=tuple(tuning_data(tuning) for tuning in self.tunings),
            repeats=self.repeats,
            order=self.order,
            name=self.name,
        )


def tuning_data(tuning: TuningProfile) -> TuningData:
    return TuningData(tuning.pk, tuning.name, tuple(tuning.settings), tuning.settle)


def target_data(target: Disk | Directory) -> TargetData:
    """A disk or a scratch directory for the expansion; a directory's identity is its path."""
    if isinstance(target, Directory):
        host = host_data(target.host)
        return TargetData("directory", target.pk, target.path, str(target), host)
    return TargetData(
        kind="disk",
        id=target.pk,
        identity=target.identity,
        label=str(target),
        host=host_data(target.host),
        size=target.size or None,
        enrolled=target.is_enrolled,
        schedulers=tuple(target.last_queue().get("schedulers") or ()),
    )


def host_data(host: Host) -> HostData:
    facts = host.facts
    return HostData(
        id=host.pk,
        name=host.name,
        enabled=host.enabled,
        root=host.become != Host.Become.USER,
        cpu_count=facts.cpu_count if facts else None,
        tools=facts.data.get("tools", {}) if facts else None,
    )
