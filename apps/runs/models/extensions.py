"""Extensions of a run: its launch and what was added later."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.common.fields.messages import MessageField
from apps.plans.schemas.factors import MAX_LETTERS
from apps.runs.models.runs import Run


class RunExtension(models.Model):
    """Stage of a run, counted by interim analyses, or decision of a stopping rule.

    Kinds: `launch` (position 0) and `repeats` are a fixed number of blocks. `until` adds blocks up
    to `last_block`, until all intervals are within `precision_percent`, or for at most `max_hours`;
    `factor` is compared. `rule` is a decision: `cases` more, or none.
    Blocks are 0 if cases run as listed.
    """

    class Kind(models.TextChoices):
        LAUNCH = "launch", _("launch")
        REPEATS = "repeats", _("repeats added")
        UNTIL = "until", _("blocks until precise enough")
        RULE = "rule", _("answer of a rule")

    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="extensions", db_index=False
    )
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices)
    rule = models.CharField(max_length=20, blank=True)
    repeats = models.PositiveIntegerField(default=0)
    precision_percent = models.FloatField(null=True)
    max_hours = models.FloatField(null=True)
    factor = models.CharField(max_length=MAX_LETTERS, blank=True)
    first_block = models.PositiveIntegerField(default=0)
    last_block = models.PositiveIntegerField(default=0)
    cases = models.PositiveIntegerField(default=0)
    reason = MessageField(blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="uniq_run_extension_position"),
            models.CheckConstraint(
                condition=Q(kind__in=["launch", "repeats", "until", "rule"]),
                name="extension_kind_known",
            ),
            models.CheckConstraint(
                condition=~Q(kind="launch") | Q(position=0), name="launch_is_first_extension"
            ),
            models.CheckConstraint(
                condition=~Q(kind="until") | Q(precision_percent__isnull=False) & ~Q(factor=""),
                name="until_extension_has_limits",
            ),
            models.CheckConstraint(
                condition=~Q(kind="repeats") | Q(by__isnull=False, repeats__gt=0),
                name="repeats_extension_has_user",
            ),
            models.CheckConstraint(
                condition=~Q(kind="rule") | ~Q(rule="") & ~Q(reason=""),
                name="rule_extension_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.position} of run {self.run_id}"
