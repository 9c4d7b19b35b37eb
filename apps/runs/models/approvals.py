"""Policies that ask for an approval, and approvals of the effects of runs."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Team
from apps.common.fields.versioned_json import SchemaField
from apps.common.models import Timestamped
from apps.runs.models.runs import Run
from apps.runs.schemas import EFFECTS, Effects


class ApprovalPolicy(Timestamped):
    """Acts that need an approval of a second person.

    The scope is a team's runs, runs on hosts with a tag, both, or all runs. A run needs an approval
    if it does one of the acts.
    """

    name = models.CharField(_("name"), max_length=80, unique=True)
    enabled = models.BooleanField(_("enabled"), default=True)
    team = models.ForeignKey(
        Team,
        on_delete=models.PROTECT,  # a policy ends by a decision about it alone
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("runs of the team"),
    )
    host_tag = models.SlugField(_("tag of a host"), max_length=40, allow_unicode=True, blank=True)
    on_wipe = models.BooleanField(_("writing to disks"), default=False)
    on_ceph = models.BooleanField(_("changing settings of a Ceph cluster"), default=False)
    over_terabytes = models.FloatField(
        _("writing more than (TB)"), null=True, blank=True, validators=[MinValueValidator(0.0)]
    )
    over_hours = models.FloatField(
        _("lasting longer than (hours)"), null=True, blank=True, validators=[MinValueValidator(0.0)]
    )

    class Meta(Timestamped.Meta):
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name


class RunApproval(models.Model):
    """Request for an approval of the effects of a run, and its decision.

    `digest`: of the effects. `policies`: names of those that ask. `reused`: an approval of equal
    effects that counts for this run. A request is void if the effects changed.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")
        VOID = "void", _("void")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="approvals", db_index=False)
    digest = models.CharField(max_length=64)
    effects: models.Field[Effects, Effects] = SchemaField(schema=EFFECTS, default=dict)
    policies = ArrayField(models.CharField(max_length=80), default=list)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    created_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    note = models.TextField(blank=True)
    reused = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["run"],
                condition=models.Q(state="waiting"),
                name="one_waiting_approval_per_run",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "void"])
                | models.Q(decided_by__isnull=False, decided_at__isnull=False),
                name="a_decided_approval_names_its_approver",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["run", "-id"], name="approvals_of_a_run"),
            models.Index(fields=["digest"], name="approvals_by_digest"),
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.state}"
