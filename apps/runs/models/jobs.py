"""The jobs of an attempt: what each of its hosts was asked to do, and how that ended."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from apps.common.fields.versioned_json import SchemaField
from apps.inventory.models import Host
from apps.remote.job_spec import JobSpec
from apps.remote.responses import Exit, JobRefusal
from apps.runs.models.attempts import Attempt
from apps.runs.models.states import JobState
from apps.runs.schemas import PLACES, REFUSAL, Places

LENDER = "lender"


class AttemptJob(models.Model):
    """One job of an attempt on one of its hosts. `id` is the agent's job id: it can start at most
    once, anywhere. The only job of an attempt on one host has the attempt's own id.

    Jobs of the same `act` belong together; acts follow one another. `spec` is what the host is
    asked, as docs/development/agent.md describes it; `launched` that all jobs of the act are known
    to their hosts; `cleared` that the host has forgotten the job. `state`, `why`, `refused` and
    `exit` are the host's last word; of a lost job `refused` has what its journal says of settings,
    without a reason. `name` is the host's name where several take part: the names of
    the job's files begin with it. `places` says where in the host's stored stdout and stderr the
    job's own bytes are.

    `clock_offset` is the host's monotonic clock minus the worker's at the release of the act, in
    seconds, known to `clock_uncertainty`; None where nothing was held.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="jobs", db_index=False
    )
    position = models.PositiveIntegerField(default=0)
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=64, blank=True)
    act = models.PositiveIntegerField(default=0)
    role = models.CharField(max_length=8, default="client")
    spec: models.Field[JobSpec, JobSpec] = models.JSONField()
    launched = models.BooleanField(default=False)
    cleared = models.BooleanField(default=False)
    clock_offset = models.FloatField(null=True)
    clock_uncertainty = models.FloatField(null=True)
    state = models.CharField(max_length=8, choices=JobState.choices, default=JobState.OPEN)
    why = models.TextField(blank=True)
    refused: models.Field[JobRefusal | None, JobRefusal | None] = SchemaField(
        schema=REFUSAL, null=True
    )
    exit: models.Field[Exit, Exit] = models.JSONField(default=dict)
    places: models.Field[Places, Places] = SchemaField(schema=PLACES, default=dict)

    class Meta:
        ordering: ClassVar[list[str]] = ["attempt", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["attempt", "position"], name="jobs_of_an_attempt_are_ordered"
            ),
            models.UniqueConstraint(
                fields=["attempt", "act", "host", "role"], name="one_job_per_act_host_and_role"
            ),
            models.CheckConstraint(
                condition=Q(state__in=JobState.values), name="job_has_a_known_state"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["client", "server", "lender"]), name="job_has_a_known_role"
            ),
            models.CheckConstraint(
                condition=Q(exit={}) | Q(state=JobState.DONE), name="only_a_done_job_has_an_exit"
            ),
            models.CheckConstraint(
                condition=Q(clock_offset__isnull=True, clock_uncertainty__isnull=True)
                | Q(clock_offset__isnull=False, clock_uncertainty__gte=0),
                name="a_clock_has_an_uncertainty",
            ),
            models.CheckConstraint(
                condition=~Q(name="") | Q(pk=F("attempt_id")), name="the_only_job_is_the_attempts"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["host"], condition=Q(cleared=False), name="jobs_a_host_may_know")
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_held(self) -> bool:
        """Whether it waits for its release when it is ready."""
        return "hold" in self.spec

    @property
    def listens(self) -> bool:
        """Whether it is a server, or only lends settings: it is ended after those that measure."""
        return self.role == LENDER or any(
            command.get("listens") for command in self.spec.get("commands") or ()
        )

    @property
    def has_ended(self) -> bool:
        """Whether its host said how it ended."""
        return self.state in (JobState.DONE, JobState.REFUSED, JobState.LOST, JobState.BAD)
