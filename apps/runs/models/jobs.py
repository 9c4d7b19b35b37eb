"""Jobs of an attempt: the commands of each host in each stage, and their results."""

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
from apps.runs.schemas import OUTPUT_RANGES, REFUSAL, OutputRanges

OSD_HOST = "osd_host"
# Applies the settings of all stages, such as OSD options, which need a restart.
SETTINGS = "settings"
# Loads a target beside all stages.
BACKGROUND = "background"
BACKGROUND_FILES = "background/"
SPANNING = (SETTINGS, BACKGROUND)


class AttemptJob(models.Model):
    """One job of an attempt on one of its hosts.

    `id`: the agent's job id, which starts at most once; the attempt's own id if it is the only job.
    `stage`: jobs of a stage start together; stages follow one another. Jobs of the roles `settings`
    and `background` start before the first stage and end after the last one.
    `spec`: the commands and settings, see docs/development/agent.md.
    `name`: the host's name and prefix of the job's files if several hosts take part, else empty.
    `launched`: all jobs of the stage are launched. `removed_from_host`: the host deleted the job.
    `state`, `error`, `refusal`, `exit`: the last status from the host. A lost job's refusal has
    no reasons, only the settings from its journal.
    `output_ranges`: the job's bytes in the host's concatenated stdout and stderr.
    `clock_offset`: the host's monotonic clock minus the worker's at the start of the stage, in
    seconds, +/- `clock_uncertainty`; None if the job was not held.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="jobs", db_index=False
    )
    position = models.PositiveIntegerField(default=0)
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=80, blank=True)
    stage = models.PositiveIntegerField(default=0)
    role = models.CharField(max_length=10, default="client")
    spec: models.Field[JobSpec, JobSpec] = models.JSONField()
    launched = models.BooleanField(default=False)
    removed_from_host = models.BooleanField(default=False)
    clock_offset = models.FloatField(null=True)
    clock_uncertainty = models.FloatField(null=True)
    state = models.CharField(max_length=16, choices=JobState.choices, default=JobState.OPEN)
    error = models.TextField(blank=True)
    refusal: models.Field[JobRefusal | None, JobRefusal | None] = SchemaField(
        schema=REFUSAL, null=True
    )
    exit: models.Field[Exit, Exit] = models.JSONField(default=dict)
    output_ranges: models.Field[OutputRanges, OutputRanges] = SchemaField(
        schema=OUTPUT_RANGES, default=dict
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["attempt", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["attempt", "position"], name="jobs_of_an_attempt_are_ordered"
            ),
            models.UniqueConstraint(
                fields=["attempt", "stage", "host", "role"], name="one_job_per_stage_host_and_role"
            ),
            models.CheckConstraint(
                condition=Q(state__in=JobState.values), name="job_has_a_known_state"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["client", "server", OSD_HOST, *SPANNING]),
                name="job_has_a_known_role",
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
            models.Index(
                fields=["host"], condition=Q(removed_from_host=False), name="jobs_a_host_may_know"
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_held(self) -> bool:
        """Return True if the ready job waits for a common start."""
        return "hold" in self.spec

    @property
    def spans_stages(self) -> bool:
        """Return True if it begins before the first stage and ends after the last one."""
        return self.role in SPANNING

    @property
    def is_background(self) -> bool:
        """Return True if it loads a target beside the test."""
        return self.role == BACKGROUND

    @property
    def listens(self) -> bool:
        """Return True for a server, or a job beside the test: these end last."""
        return self.role in (OSD_HOST, *SPANNING) or any(
            command.get("listens") for command in self.spec.get("commands") or ()
        )

    @property
    def has_ended(self) -> bool:
        """Return True if the host reported the end of the job."""
        return self.state in (
            JobState.DONE,
            JobState.REFUSED,
            JobState.LOST,
            JobState.INVALID_RESPONSE,
        )
