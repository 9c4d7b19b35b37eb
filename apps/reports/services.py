"""Writes about reports. A frozen report is never changed: who wants another one copies it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.analysis.report.conditions import conditions_of
from apps.analysis.result import AnalysisResult
from apps.common.domain.preferences import preferred
from apps.common.errors import ServiceError, from_validation_error
from apps.common.services import due_rows
from apps.reports.models import ReportSection, ReportShare, SavedReport
from apps.reports.schemas import STORED
from apps.reports.selectors.reports import answer_of, digest_of

MOST_SECTIONS = 50
MOST_DAYS = 365
SHARES_KEPT = timedelta(days=90)
LARGEST = 16 << 20
"""Bytes of one frozen answer."""


@dataclass(frozen=True)
class SectionDraft:
    """`query` in any order: it is stored in the view's own."""

    title: str = ""
    text: str = ""
    view: str = ""
    query: str = ""


@dataclass(frozen=True)
class ReportDraft:
    """Everything about a report that its author decides."""

    title: str
    text: str = ""
    home: str = ""
    team: Team | None = None
    sections: Sequence[SectionDraft] = ()


@transaction.atomic
def report_create(*, user: User, draft: ReportDraft) -> SavedReport:
    """A new report owned by `user`. Raises PermissionDenied for a viewer, ServiceError (400)."""
    require_role(user, Role.OPERATOR)
    report = SavedReport(owner=user)
    _keep(report, draft, user)
    audit_record(user=user, action="create", subject=report)
    return report


@transaction.atomic
def report_update(*, report: SavedReport, user: User, draft: ReportDraft) -> SavedReport:
    """The report becomes the draft; of a frozen one only where it stands may change. Raises
    ServiceError (400, 409).
    """
    locked = _locked(report, user)
    if locked.frozen_at and _content(draft) != _content(draft_of(locked)):
        raise ServiceError(_("This report is frozen: copy it to change what it says."))
    _keep(locked, draft, user)
    audit_record(user=user, action="change", subject=locked)
    return locked


@transaction.atomic
def report_copy(*, report: SavedReport, user: User) -> SavedReport:
    """A live copy owned by `user`, on nobody's home page."""
    words = _("{title} (copy)").format(title=report.title[:110])
    copied = replace(draft_of(report), title=words, home="", team=None)
    return report_create(user=user, draft=copied)


@transaction.atomic
def report_freeze(*, report: SavedReport, user: User) -> SavedReport:
    """Keep today's answers for good. Raises ServiceError (409) for one that is frozen already, and
    where a question has no answer.
    """
    locked = _locked(report, user)
    if locked.frozen_at:
        raise ServiceError(_("This report is frozen already."))
    for section in locked.sections.exclude(view=""):
        section.answer = _kept(section)
        section.save(update_fields=["answer"])
    locked.frozen_at = timezone.now()
    locked.save(update_fields=["frozen_at", "updated_at"])
    audit_record(user=user, action="freeze", subject=locked)
    return locked


@transaction.atomic
def report_delete(*, report: SavedReport, user: User) -> None:
    """Delete the report and every link to it; results stay."""
    locked = _locked(report, user)
    audit_record(user=user, action="delete", subject=locked)
    locked.delete()


@transaction.atomic
def share_create(*, report: SavedReport, user: User, days: int) -> tuple[ReportShare, str]:
    """A link that shows the report for so many days, and its token, which is kept nowhere. Raises
    ServiceError (400; 409 while links are switched off).
    """
    _require_editable(report, user)
    if not settings.SHARING:
        raise ServiceError(_("Links without a login are switched off on this installation."))
    if not 1 <= days <= MOST_DAYS:
        words = _("A link is open for 1 to {most} days.").format(most=MOST_DAYS)
        raise ServiceError(words, {"days": words}, status=400)
    token = secrets.token_urlsafe(32)
    share = ReportShare.objects.create(
        report=report, made_by=user, digest=digest_of(token),
        expires_at=timezone.now() + timedelta(days=days),
    )  # fmt: skip
    audit_record(user=user, action="share", subject=report, days=days)
    return share, token


@transaction.atomic
def share_revoke(*, share: ReportShare, user: User) -> ReportShare:
    """End a link at once; ending one that has ended changes nothing."""
    if not share.is_editable(user):
        raise PermissionDenied
    if ReportShare.objects.filter(pk=share.pk, revoked_at=None).update(revoked_at=timezone.now()):
        audit_record(user=user, action="revoke", subject=share.report)
    share.refresh_from_db()
    return share


def share_opened(share: ReportShare) -> None:
    """Count that somebody has read the report by this link."""
    row = ReportShare.objects.filter(pk=share.pk)
    row.update(opened=F("opened") + 1, opened_at=timezone.now())


def draft_of(report: SavedReport) -> ReportDraft:
    """The report as its author would write it."""
    rows = report.sections.order_by("position")
    sections = tuple(SectionDraft(one.title, one.text, one.view, one.query) for one in rows)
    return ReportDraft(report.title, report.text, report.home, report.team, sections)


def _content(draft: ReportDraft) -> tuple[object, ...]:
    return (draft.title, draft.text, tuple(draft.sections))


def _locked(report: SavedReport, user: User) -> SavedReport:
    _require_editable(report, user)
    return SavedReport.objects.select_for_update(of=("self",)).get(pk=report.pk)


def _require_editable(report: SavedReport, user: User) -> None:
    if not report.is_editable(user):
        raise PermissionDenied


def _keep(report: SavedReport, draft: ReportDraft, user: User) -> None:
    report.title, report.text = draft.title.strip(), draft.text
    report.home, report.team = draft.home, draft.team
    _check(report, user)
    if len(draft.sections) > MOST_SECTIONS:
        raise _wrong(
            "sections", _("A report has at most {most} sections.").format(most=MOST_SECTIONS)
        )
    report.save()
    if not report.frozen_at:
        known = {(one.view, one.query) for one in report.sections.all()}
        rows = [_section(report, place, one, known) for place, one in enumerate(draft.sections)]
        report.sections.all().delete()
        ReportSection.objects.bulk_create(rows)


def _check(report: SavedReport, user: User) -> None:
    try:
        report.full_clean(validate_constraints=False)
    except ValidationError as error:
        said = from_validation_error(error)
        raise ServiceError(said.message, dict(said.fields), status=400) from error
    if fault := team_fault(report.team, user):
        raise _wrong("team", fault)
    if report.home == SavedReport.Home.TEAM and not report.team:
        raise _wrong("home", _("Choose a team as well."))


def _section(
    report: SavedReport, place: int, draft: SectionDraft, known: Collection[tuple[str, str]]
) -> ReportSection:
    """A checked row; a question that is `known` is not asked again. Raises ServiceError (400) with
    the section's number.
    """
    if not draft.view and not draft.text.strip():
        raise _wrong(f"sections.{place}", _("A section needs a text or a view."))
    query = draft.query if draft.view else ""
    if draft.view and (draft.view, draft.query) not in known:
        try:
            query = answer_of(draft.view, draft.query).query
        except ServiceError as refused:
            raise _wrong(f"sections.{place}", refused.message) from refused
    row = ReportSection(
        report=report, position=place, title=draft.title.strip(), text=draft.text, view=draft.view,
        query=query,
    )  # fmt: skip
    try:
        row.full_clean(exclude=["report"], validate_constraints=False)
    except ValidationError as error:
        raise _wrong(f"sections.{place}", from_validation_error(error).message) from error
    return row


def _kept(section: ReportSection) -> AnalysisResult:
    with preferred():
        answer = answer_of(section.view, section.query)
        answer = replace(answer, conditions=conditions_of(section.view, section.query))
    if len(msgspec.json.encode(STORED.write(answer))) > LARGEST:
        words = _("“{title}” is too large to be kept. Narrow it down.")
        raise ServiceError(words.format(title=section.title or answer.title))
    return answer


def _wrong(name: str, words: str) -> ServiceError:
    return ServiceError(words, {name: words}, status=400)


def shares_due() -> QuerySet[ReportShare]:
    """Return share links that expired or were revoked long enough ago."""
    before = timezone.now() - SHARES_KEPT
    return ReportShare.objects.filter(Q(expires_at__lt=before) | Q(revoked_at__lt=before))


RETENTION = [due_rows(ReportShare, "90 days after its end", shares_due, task="reports.retention")]
