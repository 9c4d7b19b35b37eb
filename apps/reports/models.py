"""Saved reports: ordered texts and analysis results, live or frozen, and their share links."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AnyUser, OwnedModel, User
from apps.analysis.queries.schemas import STORED_QUERY, StoredQuery
from apps.analysis.result import AnalysisResult
from apps.common.fields.versioned_json import SchemaField
from apps.reports.schemas import FROZEN_RESULT_SCHEMA


class SavedReport(OwnedModel):
    """Report of one or more sections.

    With one result it is a saved view; with a `dashboard_scope` it is a dashboard.
    """

    class DashboardScope(models.TextChoices):
        NONE = "", _("not shown")
        OWNER = "owner", _("owner's")
        TEAM = "team", _("team's")

    title = models.CharField(_("title"), max_length=120)
    text = models.TextField(
        _("text"), blank=True, help_text=_("Introduction. Markdown: **bold**, - lists, | tables |.")
    )
    dashboard_scope = models.CharField(
        _("on the home page"), max_length=5, choices=DashboardScope.choices, blank=True
    )
    frozen_at = models.DateTimeField(_("frozen"), null=True, blank=True, editable=False)

    class Meta(OwnedModel.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=~models.Q(dashboard_scope="team") | models.Q(team__isnull=False),
                name="check_report_team_dashboard",
            )
        ]

    def __str__(self) -> str:
        return self.title


class ReportSection(models.Model):
    """Markdown text, a query of an analysis view, or both.

    `frozen_result` is the result at the time the report was frozen.
    """

    report = models.ForeignKey(
        SavedReport, on_delete=models.CASCADE, related_name="sections", db_index=False
    )
    position = models.PositiveIntegerField()
    title = models.CharField(_("title"), max_length=160, blank=True)
    text = models.TextField(_("text"), blank=True)
    stored_query: models.Field[StoredQuery | None, StoredQuery | None] = SchemaField(
        schema=STORED_QUERY, null=True, editable=False
    )
    frozen_result: models.Field[AnalysisResult | None, AnalysisResult | None] = SchemaField(
        schema=FROZEN_RESULT_SCHEMA, null=True, editable=False
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["report", "position"], name="uniq_report_section_position"
            )
        ]

    def __str__(self) -> str:
        return self.title or self.view

    @property
    def view(self) -> str:
        """The key of the view; empty for a text."""
        return self.stored_query.view if self.stored_query else ""

    @property
    def query(self) -> str:
        """The query string of the view."""
        return self.stored_query.urlencode() if self.stored_query else ""


class ShareLink(models.Model):
    """Link that shows a report without a login until it expires or is revoked.

    Only the SHA-256 of the token is stored.
    """

    report = models.ForeignKey(SavedReport, on_delete=models.CASCADE, related_name="shares")
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_viewed_at = models.DateTimeField(null=True, blank=True)
    view_count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"link {self.pk} to {self.report_id}"

    @property
    def is_open(self) -> bool:
        """Return True if the link has not expired or been revoked and its creator is active."""
        has_ended = self.revoked_at is not None or self.expires_at <= timezone.now()
        return not has_ended and self.created_by.is_active

    def is_editable(self, user: AnyUser) -> bool:
        """Return True for the link's creator and for users who may edit the report."""
        if not isinstance(user, User):
            return False
        return self.created_by_id == user.pk or self.report.is_editable(user)
