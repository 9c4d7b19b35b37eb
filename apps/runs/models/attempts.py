"""Attempts of cases, and the event log of runs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.inventory.models import HostFacts
from apps.runs.models.cases import Case
from apps.runs.models.runs import Run
from apps.runs.models.states import BAD_ATTEMPT, FINAL_ATTEMPT, AttemptState, FailureCause
from apps.runs.schemas import (
    ARGV,
    BACKGROUND_REPORT,
    EARLY_END,
    IMPORTED_FROM,
    REMARKS,
    Argv,
    BackgroundReport,
    EarlyEnd,
    ImportedFrom,
    Remarks,
)


class Attempt(models.Model):
    """One execution of a case.

    `jobs`: the commands of each host; an imported attempt has none.
    `imported`: the point of a file that an imported attempt was read from.
    `background`: what the background load did; its figures are shown and never compared.
    `early_end`: the reason if benchlab ended the attempt early.
    `unresponsive_hosts`: ids of the hosts that did not respond when contact was lost.
    `host_files_removed_at`: all hosts have deleted the files of the attempt.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(
        Case, on_delete=models.CASCADE, related_name="attempts", db_index=False
    )
    number = models.PositiveIntegerField(default=1)
    state = models.CharField(
        max_length=12, choices=AttemptState.choices, default=AttemptState.CLAIMED
    )
    phase = models.CharField(max_length=20, blank=True)
    phase_since = models.DateTimeField(null=True, blank=True)
    reason = MessageField(blank=True)
    failure_cause = models.CharField(max_length=10, choices=FailureCause.choices, blank=True)
    valid = models.BooleanField(default=True)
    invalid_reason = MessageField(blank=True)
    warnings: models.Field[Sequence[str], Remarks] = SchemaField(schema=REMARKS, default=list)
    facts = models.ForeignKey(
        HostFacts, on_delete=models.PROTECT, null=True, related_name="attempts"
    )
    argv: models.Field[Sequence[Sequence[str]], Argv] = SchemaField(schema=ARGV, default=list)
    imported: models.Field[ImportedFrom | None, ImportedFrom | None] = SchemaField(
        schema=IMPORTED_FROM, null=True, blank=True
    )
    early_end: models.Field[EarlyEnd, EarlyEnd] = SchemaField(schema=EARLY_END, default=dict)
    background: models.Field[BackgroundReport | None, BackgroundReport | None] = SchemaField(
        schema=BACKGROUND_REPORT, null=True, blank=True
    )
    tool_version = models.CharField(max_length=40, blank=True)
    host_files_removed_at = models.DateTimeField(null=True, blank=True)
    contact_at = models.DateTimeField(null=True, blank=True)
    contact_lost_since = models.DateTimeField(null=True, blank=True)
    unresponsive_hosts = ArrayField(models.BigIntegerField(), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["case", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["case", "number"], name="attempts_are_numbered"),
            models.UniqueConstraint(
                fields=["case"],
                condition=~Q(state__in=[state.value for state in FINAL_ATTEMPT]),
                name="one_open_attempt_per_case",
            ),
            models.CheckConstraint(
                condition=Q(state__in=AttemptState.values), name="attempt_has_a_known_state"
            ),
            models.CheckConstraint(
                condition=Q(valid=False) | ~Q(state__in=BAD_ATTEMPT),
                name="only_a_success_has_valid_figures",
            ),
            models.CheckConstraint(
                condition=Q(failure_cause__in=["", *FailureCause.values]),
                name="attempt_failure_cause_known",
            ),
        ]
        # As a run's page asks, between the keys of its cases: few of those that succeeded do not
        # count.
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["case"],
                condition=Q(valid=False, state=AttemptState.SUCCEEDED),
                name="doubtful_attempts_by_case",
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_final(self) -> bool:
        return self.state in FINAL_ATTEMPT


class RunEvent(models.Model):
    """A line of the event log of a run."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, null=True, related_name="events")
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, null=True, related_name="events")
    occurred_at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=30)
    text = MessageField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        # In order: by the run alone the newest lines were looked for among those of all runs.
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["run", "id"], name="event_log_of_run")
        ]

    def __str__(self) -> str:
        return self.text
