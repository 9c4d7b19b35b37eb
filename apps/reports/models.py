"""Reports that people put together: texts and answers in an order, live or frozen, and the links by
which somebody without a login reads one.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AnyUser, OwnedModel, User
from apps.analysis.result import AnalysisResult
from apps.common.fields.versioned_json import SchemaField
from apps.reports.schemas import STORED


class SavedReport(OwnedModel):
    """A report of one answer is a saved view; one that stands on a home page is a dashboard."""

    class Home(models.TextChoices):
        NOBODY = "", _("nobody's")
        OWNER = "owner", _("mine")
        TEAM = "team", _("my team's")

    title = models.CharField(_("title"), max_length=120)
    text = models.TextField(
        _("text"), blank=True, help_text=_("Stands first. Markdown: **bold**, - lists, | tables |.")
    )
    home = models.CharField(_("on the home page"), max_length=5, choices=Home.choices, blank=True)
    frozen_at = models.DateTimeField(_("frozen"), null=True, blank=True, editable=False)

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~models.Q(home="team") | models.Q(team__isnull=False),
                name="a_teams_dashboard_has_a_team",
            )
        ]

    def __str__(self) -> str:
        return self.title


class ReportSection(models.Model):
    """A text, or the answer to a question: a view (a key of apps.analysis.registry) and its query.
    `answer` is the answer at the moment the report was frozen.
    """

    report = models.ForeignKey(
        SavedReport, on_delete=models.CASCADE, related_name="sections", db_index=False
    )
    position = models.PositiveIntegerField()
    title = models.CharField(_("title"), max_length=160, blank=True)
    text = models.TextField(_("text"), blank=True)
    view = models.CharField(max_length=20, blank=True)
    query = models.TextField(blank=True)
    answer: models.Field[AnalysisResult | None, AnalysisResult | None] = SchemaField(
        schema=STORED, null=True, editable=False
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["report", "position"], name="section_place")
        ]

    def __str__(self) -> str:
        return self.title or self.view


class ReportShare(models.Model):
    """A link that shows a report to whoever has it, until it ends. Only the token's SHA-256 is
    kept, so the link is shown once.
    """

    report = models.ForeignKey(SavedReport, on_delete=models.CASCADE, related_name="shares")
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    opened = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"link {self.pk} to {self.report_id}"

    @property
    def is_open(self) -> bool:
        """Whether the link still shows something: not ended, not revoked, and whoever made it still
        has an account.
        """
        over = self.revoked_at is not None or self.expires_at <= timezone.now()
        return not over and self.made_by.is_active

    def is_editable(self, user: AnyUser) -> bool:
        """Whoever made the link, and whoever may change the report, may end it."""
        if not isinstance(user, User):
            return False
        return self.made_by_id == user.pk or self.report.is_editable(user)
