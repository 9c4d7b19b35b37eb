"""Runs and their claims."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import OwnedModel
from apps.common.database.character_pairs import CharacterPairs
from apps.common.domain.messages import label
from apps.common.fields.messages import MessageField
from apps.common.fields.versioned_json import SchemaField
from apps.plans.models import TestPlan
from apps.plans.schemas.advice import ADVICE_NOTES, AdviceNotes
from apps.plans.schemas.plan import PLAN_SPEC, PlanSpec
from apps.runs.models.states import FINAL_RUN, Origin, Priority, RunState
from apps.tools.messages import join_messages

NO_ENGINE = _("no worker is running, so it stays queued until one is started")


class Run(OwnedModel):
    """One launch of a plan, or one import (`origin`).

    `spec`: the plan at the launch; empty for an import. `seed`: of the order of its blocks.
    `advice_not_taken`: the advice of the preview at the launch.
    `worker`, `lease_until`, `fence`: the worker that drives the run. Each write checks the fencing
    token, so a stale worker changes nothing, see `services.leases`.
    `waiting_since`: since when it is in the queue; a run gains one priority for each day. What it
    waited for approvals is added to it.
    `yields_at`: end of the booking thanks to which it passed older runs; then it lets them in.
    `paused_at`: since when it waits between its blocks, for a booking of others or maintenance.
    `forecast_start_at`: the first forecast of its first start, for the error of forecasts.
    """

    name = models.CharField(_("name"), max_length=120)
    plan = models.ForeignKey(
        TestPlan,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="runs",
        db_index=False,
    )
    spec: models.Field[PlanSpec, PlanSpec] = SchemaField(schema=PLAN_SPEC, default=dict)
    seed = models.BigIntegerField(null=True, editable=False)
    advice_not_taken: models.Field[AdviceNotes, AdviceNotes] = SchemaField(
        schema=ADVICE_NOTES, default=list, editable=False
    )
    note = models.TextField(_("note"), blank=True)
    tags = ArrayField(
        models.SlugField(max_length=40, allow_unicode=True),
        default=list,
        blank=True,
        verbose_name=_("tags"),
    )
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.LAUNCHED)
    state = models.CharField(max_length=12, choices=RunState.choices, default=RunState.QUEUED)
    reason = MessageField(blank=True)
    idempotency_key = models.CharField(  # noqa: DJ001 # NULLs are distinct in the constraint
        max_length=80, null=True, blank=True
    )
    wipe_confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    priority = models.SmallIntegerField(
        _("priority"), choices=Priority.choices, default=Priority.NORMAL
    )
    waiting_since = models.DateTimeField(default=timezone.now, editable=False)
    paused_at = models.DateTimeField(null=True, editable=False)
    yields_at = models.DateTimeField(null=True, editable=False)
    forecast_start_at = models.DateTimeField(null=True, editable=False)
    queued_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.BigIntegerField(default=0)
    case_count = models.PositiveIntegerField(default=0)
    expected_seconds = models.FloatField(default=0.0)
    # Services raise it with every change that the run's pages show (services.versions).
    results_version = models.BigIntegerField(default=0, editable=False)

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(state__in=RunState.values), name="run_has_a_known_state"
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(state__in=FINAL_RUN),
                name="only_an_ended_run_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(lease_until__isnull=True) | ~Q(state__in=FINAL_RUN),
                name="an_ended_run_has_no_worker",
            ),
            models.CheckConstraint(
                condition=Q(priority__in=Priority.values), name="run_has_a_known_priority"
            ),
            models.UniqueConstraint(
                fields=["idempotency_key", "owner"], name="uniq_run_idempotency_key_owner"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["lease_until"],
                condition=Q(state__in=["queued", "running"]),
                name="runs_that_need_a_worker",
            ),
            models.Index(fields=["plan", "-id"], name="runs_of_a_plan"),
            models.Index(fields=["state", "-id"], name="runs_by_state"),
            models.Index(fields=["origin", "-id"], name="runs_by_origin"),
            models.Index(fields=["queued_at"], name="runs_by_time"),
            # As `icontains` asks: UPPER(name) LIKE '%…%'.
            GinIndex(OpClass(Upper("name"), "gin_trgm_ops"), name="runs_by_parts_of_name"),
            GinIndex(OpClass(Upper("note"), "gin_trgm_ops"), name="runs_by_parts_of_note"),
            GinIndex(SearchVector("note", config="english"), name="runs_by_words_of_note"),
            GinIndex(CharacterPairs("name"), name="runs_by_pairs_of_name"),
            GinIndex(CharacterPairs("note"), name="runs_by_pairs_of_note"),
            GinIndex(fields=["tags"], name="runs_by_tag"),
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
    def has_no_engine(self) -> bool:
        """Return True if the run is queued and no engine is alive (`runs_visible`)."""
        return self.state == RunState.QUEUED and getattr(self, "engine_alive", None) is False

    @property
    def reason_now(self) -> str:
        """Return the reason of the state, with a missing engine for a queued run."""
        if not self.has_no_engine:
            return self.reason
        return join_messages(label(NO_ENGINE), *([self.reason] if self.reason else []))

    @property
    def is_cancelling(self) -> bool:
        return self.cancel_requested_at is not None and not self.is_final


class Claim(models.Model):
    """Exclusive claim of a run on a resource, see `selectors.resources`.

    The partial unique index allows one unreleased claim per resource.
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
