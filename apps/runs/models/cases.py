"""Cases: workload x target x tuning x repeat."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from apps.common.fields.messages import MessageField
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.runs.models.backgrounds import RunBackground
from apps.runs.models.runs import Run
from apps.runs.models.states import BAD_CASE, CaseState, FailureCause, Purpose
from apps.runs.models.targets import RunTarget, RunTargetMember
from apps.runs.models.tunings import RunTuning
from apps.tools.added_params import tool_params, undisturbed_params
from apps.tools.values import Parameters
from apps.tuning.schemas.settings import Settings


class Case(models.Model):
    """Workload x target x tuning x repeat, the unit of execution.

    `sequence`: the order of execution. `block`: the random block.
    `run_tuning`: the effective tuning, which results are filed under.
    `background`: the load that runs beside the test; the workload's parameters name it.
    `requested_tuning`: the planned tuning if it differs from `run_tuning`, else None.
    `purpose`: only cases that measure are compared; preconditioning comes before them.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cases", db_index=False)
    sequence = models.PositiveIntegerField()
    block = models.PositiveIntegerField(default=0)
    repeat = models.PositiveIntegerField(default=1)
    workload = models.ForeignKey(
        Workload, on_delete=models.PROTECT, related_name="cases", db_index=False
    )
    run_target = models.ForeignKey(
        RunTarget, on_delete=models.CASCADE, related_name="cases", db_index=False
    )
    run_tuning = models.ForeignKey(
        RunTuning, on_delete=models.CASCADE, related_name="cases", db_index=False
    )
    requested_tuning = models.ForeignKey(
        RunTuning,
        on_delete=models.CASCADE,
        null=True,
        related_name="cases_planned",
        db_index=False,
    )
    background = models.ForeignKey(
        RunBackground, on_delete=models.CASCADE, null=True, related_name="cases", db_index=False
    )
    purpose = models.CharField(
        max_length=12, choices=Purpose.choices, default=Purpose.MEASURE, db_default=Purpose.MEASURE
    )
    step_name = models.CharField(max_length=80, blank=True)
    expected_seconds = models.FloatField(default=0.0)
    state = models.CharField(max_length=12, choices=CaseState.choices, default=CaseState.PENDING)
    reason = MessageField(blank=True)
    failure_cause = models.CharField(max_length=10, choices=FailureCause.choices, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "sequence"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "sequence"], name="uniq_case_sequence"),
            models.CheckConstraint(
                condition=Q(state__in=CaseState.values), name="case_has_a_known_state"
            ),
            models.CheckConstraint(
                condition=Q(failure_cause="")
                | Q(failure_cause__in=FailureCause.values, state__in=BAD_CASE),
                name="case_failure_cause_known",
            ),
            models.CheckConstraint(
                condition=Q(purpose__in=Purpose.values), name="case_has_a_known_purpose"
            ),
        ]
        # Each holds the keys in the lists' order, so a page is read from its beginning.
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["run", "-id"], name="cases_of_a_run"),
            models.Index(fields=["workload", "-id"], name="newest_of_a_workload"),
            models.Index(fields=["run_target", "-id"], name="cases_on_a_target"),
            models.Index(fields=["run_tuning", "-id"], name="cases_under_a_tuning"),
            models.Index(
                fields=["background"],
                condition=Q(background__isnull=False),
                name="cases_beside_a_load",
            ),
            models.Index(
                fields=["state", "-id"], condition=~Q(state="succeeded"), name="unusual_cases"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.workload.label} · {self.tuning_name} · {self.repeat}"

    @property
    def prepares(self) -> bool:
        """Return True for a preconditioning case."""
        return self.purpose == Purpose.PRECONDITION

    @property
    def tool(self) -> str:
        return self.workload.tool

    @property
    def params(self) -> Parameters:
        """Return the parameters in canonical form, with the background load."""
        return undisturbed_params(self.workload.params)

    @property
    def tool_params(self) -> Parameters:
        """Return the parameters of the tool, without the background load."""
        return tool_params(self.params)

    @property
    def background_target(self) -> RunTarget | None:
        """Return the target of the background load; None without one."""
        if self.background is None:
            return None
        return self.background.run_target or self.run_target

    @property
    def target(self) -> Any:
        """Return the target's own row (disk, pool ...), None for imported results."""
        target = self.run_target.target
        return target.row if target is not None else None

    @property
    def target_kind(self) -> str:
        """Return the kind of the target; empty for imported results."""
        return self.run_target.kind

    @property
    def target_words(self) -> str:
        """Return the name of the target at the launch or import."""
        return self.run_target.name

    @property
    def members(self) -> tuple[RunTargetMember, ...]:
        """Return the members in order."""
        return self.run_target.all_members

    @property
    def every_member(self) -> tuple[RunTargetMember, ...]:
        """Return the members, then those of the background load."""
        loaded = self.background_target
        return (*self.members, *loaded.all_members) if loaded else self.members

    @property
    def host(self) -> Host:
        """Return the host of the first member."""
        return self.members[0].host

    @property
    def host_id(self) -> int:
        return self.members[0].host_id

    @property
    def host_ids(self) -> list[int]:
        """Return the ids of the participating hosts in order, the tested ones first."""
        loaded = self.background_target
        hosts = self.run_target.host_ids
        return list(dict.fromkeys([*hosts, *loaded.host_ids])) if loaded else hosts

    @property
    def tuning_id(self) -> int | None:
        return self.run_tuning.tuning_id

    @property
    def tuning_name(self) -> str:
        return self.run_tuning.name

    @property
    def tuning_settings(self) -> Settings:
        """Return the settings of the effective tuning."""
        return self.run_tuning.settings

    @property
    def tuning_to_apply(self) -> RunTuning:
        """Return the planned tuning."""
        return self.requested_tuning or self.run_tuning

    @property
    def settle_seconds(self) -> float:
        """Return the pause between the last setting and the first command, in seconds."""
        return self.tuning_to_apply.settle_seconds
