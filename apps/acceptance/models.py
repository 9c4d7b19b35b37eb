"""Acceptances of drives, and their disks."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.acceptance.schemas import (
    FINDINGS,
    PROFILE,
    READING,
    AcceptanceProfile,
    Finding,
    Reading,
)
from apps.accounts.models import OwnedModel
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.inventory.models import Disk
from apps.runs.models import Run


class Acceptance(OwnedModel):
    """Acceptance of new drives: one run fills all, a second one measures them in waves.

    `wipe_confirmed`: the owner permitted that file systems on the disks are destroyed. `reason`:
    why it ended early, or why its next run cannot be launched.
    """

    class State(models.TextChoices):
        FILLING = "filling", _("filling")
        MEASURING = "measuring", _("measuring")
        ENDED = "ended", _("ended")
        CANCELLED = "cancelled", _("cancelled")

    name = models.CharField(_("name"), max_length=60)
    profile: models.Field[AcceptanceProfile, AcceptanceProfile] = SchemaField(
        schema=PROFILE, default=dict
    )
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.FILLING
    )
    wipe_confirmed = models.BooleanField(default=False)
    fill_run = models.ForeignKey(
        Run, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    measure_run = models.ForeignKey(
        Run, on_delete=models.SET_NULL, null=True, related_name="+", editable=False
    )
    reason = MessageField(blank=True)
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(state__in=["filling", "measuring", "ended", "cancelled"]),
                name="acceptance_has_a_known_state",
            ),
            models.CheckConstraint(
                condition=models.Q(ended_at__isnull=True)
                | models.Q(state__in=["ended", "cancelled"]),
                name="only_an_ended_acceptance_has_an_end",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["state"],
                condition=models.Q(state__in=["filling", "measuring"]),
                name="acceptances_open",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        return self.state in (self.State.FILLING, self.State.MEASURING)

    @property
    def current_run(self) -> Run | None:
        """Return the run that it waits for."""
        return self.measure_run if self.state == self.State.MEASURING else self.fill_run


class AcceptedDisk(models.Model):
    """A disk of an acceptance: what it reported at first and at last, and its findings.

    `label`: its host with its bay, or its device at the start. `set_number`: of the disks that are
    measured together with it, 0 before.
    """

    class Verdict(models.TextChoices):
        PENDING = "pending", _("not decided yet")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")
        UNCLEAR = "unclear", _("unclear")

    acceptance = models.ForeignKey(
        Acceptance, on_delete=models.CASCADE, related_name="disks", db_index=False
    )
    disk = models.ForeignKey(Disk, on_delete=models.PROTECT, related_name="acceptances")
    label = models.CharField(max_length=120)
    set_number = models.PositiveIntegerField(default=0)
    verdict = models.CharField(
        _("verdict"), max_length=8, choices=Verdict.choices, default=Verdict.PENDING
    )
    before: models.Field[Reading, Reading] = SchemaField(schema=READING, default=dict)
    after: models.Field[Reading, Reading] = SchemaField(schema=READING, default=dict)
    findings: models.Field[list[Finding], list[Finding]] = SchemaField(
        schema=FINDINGS, default=list
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["acceptance", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["acceptance", "disk"], name="one_row_per_acceptance_and_disk"
            ),
            models.CheckConstraint(
                condition=models.Q(verdict__in=["pending", "accepted", "rejected", "unclear"]),
                name="accepted_disk_has_a_known_verdict",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.acceptance}: {self.label}"
