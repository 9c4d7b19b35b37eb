"""Writes of reports and share links. A frozen report cannot change; users copy it instead."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.analysis.queries.schemas import StoredQuery
from apps.analysis.report.conditions import conditions_of
from apps.analysis.result import AnalysisResult
from apps.common.domain.preferences import preferred
from apps.common.errors import ServiceError, from_validation_error
from apps.common.services import due_rows
from apps.reports.models import ReportSection, SavedReport, ShareLink
from apps.reports.schemas import FROZEN_RESULT_SCHEMA
from apps.reports.selectors.reports import section_analysis, token_digest

MAX_SECTIONS = 50
MAX_LINK_DAYS = 365
SHARE_LINK_RETENTION = timedelta(days=90)
MAX_RESULT_BYTES = 16 << 20
"""Limit of one frozen result as JSON."""


@dataclass(frozen=True)
class SectionDraft:
    """Section as its author writes it; `query` is stored in canonical form."""

    title: str = ""
    text: str = ""
    view: str = ""
    query: str = ""


@dataclass(frozen=True)
class ReportDraft:
    """Editable values of a report."""

    title: str
    text: str = ""
    dashboard_scope: str = ""
    team: Team | None = None
    sections: Sequence[SectionDraft] = ()


@transaction.atomic
def report_create(*, user: User, draft: ReportDraft) -> SavedReport:
    """Create a report owned by `user`. Raises: PermissionDenied for viewers; ServiceError (400)."""
    require_role(user, Role.OPERATOR)
    report = SavedReport(owner=user)
    _save(report, draft, user)
    audit_record(user=user, action="create", subject=report)
    return report


@transaction.atomic
def report_update(*, report: SavedReport, user: User, draft: ReportDraft) -> SavedReport:
    """Replace the values of a report; of a frozen one only dashboard scope and team.

    Raises: PermissionDenied; ServiceError (400; 409 if frozen).
    """
    locked = lock_editable(report, user)
    if locked.frozen_at and _content(draft) != _content(draft_of(locked)):
        raise ServiceError(_("This report is frozen. Copy it to change its content."))
    _save(locked, draft, user)
    audit_record(user=user, action="change", subject=locked)
    return locked


@transaction.atomic
def report_copy(*, report: SavedReport, user: User) -> SavedReport:
    """Create a live copy owned by `user`, without a dashboard scope."""
    title = _("{title} (copy)").format(title=report.title[:110])
    draft = replace(draft_of(report), title=title, dashboard_scope="", team=None)
    return report_create(user=user, draft=draft)


@transaction.atomic
def report_freeze(*, report: SavedReport, user: User) -> SavedReport:
    """Store the present results in the report.

    Raises: PermissionDenied; ServiceError (409 if it is frozen already; 400 if an analysis fails).
    """
    locked = lock_editable(report, user)
    if locked.frozen_at:
        raise ServiceError(_("This report is frozen already."))
    for section in locked.sections.filter(stored_query__isnull=False):
        section.frozen_result = _freeze_section(section)
        section.save(update_fields=["frozen_result"])
    locked.frozen_at = timezone.now()
    locked.save(update_fields=["frozen_at", "updated_at"])
    audit_record(user=user, action="freeze", subject=locked)
    return locked


@transaction.atomic
def report_delete(*, report: SavedReport, user: User) -> None:
    """Delete the report and its share links; measurements stay."""
    locked = lock_editable(report, user)
    audit_record(user=user, action="delete", subject=locked)
    locked.delete()


@transaction.atomic
def share_link_create(
    *, report: SavedReport, user: User, days: int, freeze: bool = False
) -> tuple[ShareLink, str]:
    """Create a link that shows the report for `days`; return it with its token.

    `freeze`: store the present results before, unless they are stored already. The token is not
    stored. Raises: PermissionDenied; ServiceError (400; 409 if share links are
    disabled).
    """
    report = lock_editable(report, user)
    if not settings.SHARE_LINKS:
        raise ServiceError(_("Links without a login are switched off on this installation."))
    if not 1 <= days <= MAX_LINK_DAYS:
        message = _("A link is open for 1 to {limit} days.").format(limit=MAX_LINK_DAYS)
        raise ServiceError(message, {"days": message}, status=400)
    if freeze and not report.frozen_at:
        report = report_freeze(report=report, user=user)
    token = secrets.token_urlsafe(32)
    share = ShareLink.objects.create(
        report=report, created_by=user, digest=token_digest(token),
        expires_at=timezone.now() + timedelta(days=days),
    )  # fmt: skip
    audit_record(user=user, action="share", subject=report, days=days)
    return share, token


@transaction.atomic
def share_link_revoke(*, share: ShareLink, user: User) -> ShareLink:
    """Revoke a share link; no effect if it has ended already. Raises: PermissionDenied."""
    share = ShareLink.objects.select_for_update(of=("self",)).get(pk=share.pk)
    require_editable(share, user)
    if share.revoked_at is None:
        share.revoked_at = timezone.now()
        share.save(update_fields=["revoked_at"])
        audit_record(user=user, action="revoke", subject=share.report)
    return share


def share_link_count_view(share: ShareLink) -> None:
    """Count a view of the report through this link."""
    row = ShareLink.objects.filter(pk=share.pk)
    row.update(view_count=F("view_count") + 1, last_viewed_at=timezone.now())


def draft_of(report: SavedReport) -> ReportDraft:
    """Return the values of a report as a draft."""
    rows = report.sections.order_by("position")
    sections = tuple(SectionDraft(one.title, one.text, one.view, one.query) for one in rows)
    return ReportDraft(report.title, report.text, report.dashboard_scope, report.team, sections)


def _content(draft: ReportDraft) -> tuple[object, ...]:
    return (draft.title, draft.text, tuple(draft.sections))


def _save(report: SavedReport, draft: ReportDraft, user: User) -> None:
    team_error = team_fault(draft.team, user, report)
    report.title, report.text = draft.title.strip(), draft.text
    report.dashboard_scope, report.team = draft.dashboard_scope, draft.team
    _check(report)
    if team_error:
        raise _validation_error("team", team_error)
    if len(draft.sections) > MAX_SECTIONS:
        raise _validation_error(
            "sections", _("A report has at most {limit} sections.").format(limit=MAX_SECTIONS)
        )
    report.save()
    if not report.frozen_at:
        stored = {(one.view, one.query) for one in report.sections.all()}
        rows = [
            _section(report, position, one, stored) for position, one in enumerate(draft.sections)
        ]
        report.sections.all().delete()
        ReportSection.objects.bulk_create(rows)


def _check(report: SavedReport) -> None:
    try:
        report.full_clean(validate_constraints=False)
    except ValidationError as error:
        invalid = from_validation_error(error)
        raise ServiceError(invalid.message, dict(invalid.fields), status=400) from error
    if report.dashboard_scope == SavedReport.DashboardScope.TEAM and not report.team:
        raise _validation_error("dashboard_scope", _("Choose a team as well."))


def _section(
    report: SavedReport, position: int, draft: SectionDraft, stored: Collection[tuple[str, str]]
) -> ReportSection:
    """Return a validated row. Sections in `stored` are not analysed again.

    Raises: ServiceError (400) with the section's position.
    """
    if not draft.view and not draft.text.strip():
        raise _validation_error(f"sections.{position}", _("A section needs a text or a view."))
    query = draft.query
    if draft.view and (draft.view, draft.query) not in stored:
        try:
            query = section_analysis(draft.view, draft.query).query
        except ServiceError as error:
            raise _validation_error(f"sections.{position}", error.message) from error
    row = ReportSection(
        report=report, position=position, title=draft.title.strip(), text=draft.text,
        stored_query=StoredQuery.from_query(draft.view, query) if draft.view else None,
    )  # fmt: skip
    try:
        row.full_clean(exclude=["report"], validate_constraints=False)
    except ValidationError as error:
        raise _validation_error(
            f"sections.{position}", from_validation_error(error).message
        ) from error
    return row


def _freeze_section(section: ReportSection) -> AnalysisResult:
    """Return the section's result in default units, with its conditions.

    Raises: ServiceError if it is larger than `MAX_RESULT_BYTES`.
    """
    with preferred():
        result = section_analysis(section.view, section.query)
        result = replace(result, conditions=conditions_of(section.view, section.query))
    if len(msgspec.json.encode(FROZEN_RESULT_SCHEMA.write(result))) > MAX_RESULT_BYTES:
        message = _("“{title}” is too large to be stored. Narrow its selection.")
        raise ServiceError(message.format(title=section.title or result.title))
    return result


def _validation_error(name: str, message: str) -> ServiceError:
    return ServiceError(message, {name: message}, status=400)


def share_links_due() -> QuerySet[ShareLink]:
    """Return share links that expired or were revoked long enough ago."""
    before = timezone.now() - SHARE_LINK_RETENTION
    return ShareLink.objects.filter(Q(expires_at__lt=before) | Q(revoked_at__lt=before))


RETENTION = [
    due_rows(ShareLink, "90 days after its end", share_links_due, task="reports.retention")
]
