"""Runs, their cases, the attempts made at them, and what each attempt left behind."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Owned
from apps.inventory.models import (
    Directory,
    Disk,
    Host,
    HostFacts,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.plans.models import TestPlan, Workload
from apps.tuning.models import TuningProfile


class RunState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    LOST = "lost", _("lost")


class CaseState(models.TextChoices):
    PENDING = "pending", _("waiting")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    LOST = "lost", _("lost")


class AttemptState(models.TextChoices):
    """In the order an attempt goes through them; it never goes back (apps.runs.transitions)."""

    CLAIMED = "claimed", _("claimed")
    PREFLIGHT = "preflight", _("checking the host")
    RUNNING = "running", _("running")
    COLLECTING = "collecting", _("collecting")
    PARSING = "parsing", _("reading the output")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    LOST = "lost", _("lost")


class Fault(models.TextChoices):
    """Whose error it was, and so who can do something about it."""

    PLAN = "plan", _("the plan's author")
    HOST = "host", _("the lab's host")
    TOOL = "tool", _("the tool")
    BENCHLAB = "benchlab", _("benchlab itself")


FINAL_RUN = (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED, RunState.LOST)
FINAL_CASE = (CaseState.SUCCEEDED, CaseState.FAILED, CaseState.CANCELLED, CaseState.LOST)
FINAL_ATTEMPT = (
    AttemptState.SUCCEEDED,
    AttemptState.FAILED,
    AttemptState.CANCELLED,
    AttemptState.LOST,
)


class Origin(models.TextChoices):
    LAUNCHED = "launched", _("run by benchlab")
    IMPORTED = "imported", _("imported")


class Run(Owned):
    """One launch of a plan, or results that others made (`origin`). `plan_copy` is the plan as it
    was, so later changes of the plan change nothing here.

    `worker`, `lease_until` and `fence` say which worker process drives the run; every write of a
    worker names the fence it holds, so one that was overtaken can change nothing
    (apps.runs.services).
    """

    name = models.CharField(_("name"), max_length=120)
    plan = models.ForeignKey(
        TestPlan, on_delete=models.SET_NULL, null=True, blank=True, related_name="runs"
    )
    plan_copy = models.JSONField(default=dict)
    note = models.TextField(_("note"), blank=True)
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.LAUNCHED)
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.QUEUED)
    reason = models.TextField(blank=True)
    idempotency_key = models.CharField(
        max_length=80, null=True, blank=True, unique=True
    )  # several rows have none, and NULLs are distinct
    wipe_confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    queued_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.BigIntegerField(default=0)
    case_count = models.PositiveIntegerField(default=0)
    expected_seconds = models.FloatField(default=0.0)

    class Meta(Owned.Meta):
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["lease_until"],
                condition=Q(state__in=["queued", "running"]),
                name="runs_that_need_a_worker",
            ),
            models.Index(fields=["plan", "-id"], name="runs_of_a_plan"),
            models.Index(fields=["state", "-id"], name="runs_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.pk}"

    @property
    def is_final(self) -> bool:
        return self.state in FINAL_RUN

    @property
    def is_imported(self) -> bool:
        return self.origin == Origin.IMPORTED

    @property
    def is_cancelling(self) -> bool:
        return self.cancel_requested_at is not None and not self.is_final


class Case(models.Model):
    """Workload x target x tuning x repeat. `position` is the order of execution; `block` the random
    block it is in.

    `tuning_settings`, `params` and `members` are frozen copies; `tuning` may later be renamed or
    deleted. `host` is the first host that takes part, `hosts` are the ids of all (empty for one).
    `members` says what each does, for a target that is more than one disk or directory
    (apps.runs.members); `target_name` is the target in words.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cases")
    position = models.PositiveIntegerField()
    block = models.PositiveIntegerField(default=0)
    repeat = models.PositiveIntegerField(default=1)
    workload = models.ForeignKey(Workload, on_delete=models.PROTECT, related_name="cases")
    step_name = models.CharField(max_length=80, blank=True)
    tool = models.CharField(max_length=20)
    params = models.JSONField(default=dict)
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="cases")
    disk = models.ForeignKey(Disk, on_delete=models.PROTECT, null=True, related_name="cases")
    directory = models.ForeignKey(
        Directory, on_delete=models.PROTECT, null=True, related_name="cases"
    )
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT, null=True, related_name="cases")
    pair = models.ForeignKey(HostPair, on_delete=models.PROTECT, null=True, related_name="cases")
    group = models.ForeignKey(
        TargetGroup, on_delete=models.PROTECT, null=True, related_name="cases"
    )
    hosts = ArrayField(models.BigIntegerField(), default=list)
    members = models.JSONField(default=list)
    target_name = models.CharField(max_length=500, blank=True)
    tuning = models.ForeignKey(
        TuningProfile, on_delete=models.SET_NULL, null=True, related_name="cases"
    )
    tuning_name = models.CharField(max_length=80, blank=True)
    tuning_settings = models.JSONField(default=list)
    settle = models.FloatField(default=0.0)
    expected_seconds = models.FloatField(default=0.0)
    state = models.CharField(max_length=12, choices=CaseState.choices, default=CaseState.PENDING)
    reason = models.TextField(blank=True)
    fault = models.CharField(max_length=10, choices=Fault.choices, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="one_case_per_position")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["workload", "run"], name="cases_of_a_workload")
        ]

    def __str__(self) -> str:
        return f"{self.workload.label} · {self.tuning_name} · {self.repeat}"

    @property
    def target(self) -> Disk | Directory | Pool | HostPair | TargetGroup | None:
        """The row of the lab it is about; None for imported results."""
        return self.disk or self.directory or self.pool or self.pair or self.group

    @property
    def target_kind(self) -> str:
        """ "disk", "directory", "pool", "pair" or "group"; "" for imported results."""
        kinds = ("disk", "directory", "pool", "pair", "group")
        return next((kind for kind in kinds if getattr(self, f"{kind}_id")), "")

    @property
    def target_words(self) -> str:
        """The target as it was called at the launch, or as an importer said."""
        return self.target_name or str(self.target or "")

    @property
    def host_ids(self) -> list[int]:
        """Every host that takes part, the first one first."""
        return list(self.hosts) or [self.host_id]


class Attempt(models.Model):
    """One execution of a case on its host. `id` is the agent's job id: it can start at most once,
    anywhere.

    A case of several hosts has several jobs instead of one `spec` (apps.execution.jobs): each with
    an id made from the attempt's, its host, its act and its own specification.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveIntegerField(default=1)
    state = models.CharField(
        max_length=12, choices=AttemptState.choices, default=AttemptState.CLAIMED
    )
    phase = models.CharField(max_length=20, blank=True)
    reason = models.TextField(blank=True)
    fault = models.CharField(max_length=10, choices=Fault.choices, blank=True)
    valid = models.BooleanField(default=True)
    invalid_reason = models.TextField(blank=True)
    warnings = models.JSONField(default=list)
    facts = models.ForeignKey(
        HostFacts, on_delete=models.PROTECT, null=True, related_name="attempts"
    )
    argv = models.JSONField(default=list)
    spec = models.JSONField(default=dict)
    jobs = models.JSONField(default=list)
    exit = models.JSONField(default=dict)
    tool_version = models.CharField(max_length=40, blank=True)
    cleared_at = models.DateTimeField(null=True, blank=True)
    contact_at = models.DateTimeField(null=True, blank=True)
    contact_lost_since = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["case", "number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["case", "number"], name="attempts_are_numbered"),
            models.UniqueConstraint(
                fields=["case"],
                condition=~Q(state__in=["succeeded", "failed", "cancelled", "lost"]),
                name="one_open_attempt_per_case",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_final(self) -> bool:
        return self.state in FINAL_ATTEMPT


class Artifact(models.Model):
    """Bytes an attempt produced, untouched. `content` is them in `encoding` ("zlib"); `sha256` is
    of the bytes themselves.
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="artifacts")
    name = models.CharField(max_length=100)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    encoding = models.CharField(max_length=8, default="zlib")
    content = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["attempt", "name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["attempt", "name"], name="one_artifact_per_name")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["sha256"], name="artifacts_by_content")
        ]

    def __str__(self) -> str:
        return self.name


class RunEvent(models.Model):
    """One line of a run's diary, for people: what happened, when, to which case."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    case = models.ForeignKey(Case, on_delete=models.CASCADE, null=True, related_name="events")
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, null=True, related_name="events")
    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=30)
    text = models.TextField()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        return self.text


class Claim(models.Model):
    """One run's hold on a host, a disk or a pool. The partial unique index is what makes a second
    owner impossible.

    `resource` is "host:<host id>", "machine:<machine id>", "disk:<identity>" or
    "pool:<name>@<host id>" (apps.runs.resources), so two host entries of one machine share its
    disks.
    """

    resource = models.CharField(max_length=420)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="claims")
    taken_at = models.DateTimeField(auto_now_add=True)
    released_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["resource"],
                condition=Q(released_at__isnull=True),
                name="one_owner_per_resource",
            )
        ]

    def __str__(self) -> str:
        return f"{self.resource} held by run {self.run_id}"
