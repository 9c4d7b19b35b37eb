"""Queries of reports, their results and their share links."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator

from django.conf import settings
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import Truncator, slugify
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.analysis.registry import VIEWS
from apps.analysis.report import content
from apps.analysis.report.conditions import conditions_of, merged
from apps.analysis.result import AnalysisResult, BasisItem, Finding
from apps.common.domain.preferences import timestamp_text
from apps.common.errors import ServiceError
from apps.reports.models import ReportSection, SavedReport, ShareLink
from apps.reports.selectors.section_queries import SectionQuery, section_query


def reports_visible() -> QuerySet[SavedReport]:
    """Return all reports with owner, section count and open link count. Every user may read all."""
    sections = Count("sections", distinct=True)
    open_ones = Q(
        shares__revoked_at=None, shares__expires_at__gt=timezone.now(),
        shares__created_by__is_active=True,
    )  # fmt: skip
    shares = Count("shares", filter=open_ones, distinct=True)
    rows = SavedReport.objects.select_related("owner", "team")
    return rows.annotate(section_count=sections, open_link_count=shares)


def reports_changeable(user: User) -> QuerySet[SavedReport]:
    """Return the live reports that a user may edit, last changed first."""
    rows = SavedReport.objects.filter(frozen_at=None).order_by("-updated_at")
    mine = Q(owner=user) | Q(team__in=user.teams.all())
    return rows if user.is_admin else rows.filter(mine).distinct()


def live_report_of_user(
    user: User, title: str, results: Collection[tuple[str, str]]
) -> SavedReport | None:
    """Return the newest live report of a user with this title and these (view, query)."""
    rows = SavedReport.objects.filter(owner=user, title=title, frozen_at=None).order_by("-pk")
    for report in rows.prefetch_related("sections"):
        if {(one.view, one.query) for one in report.sections.all()}.issuperset(results):
            return report
    return None


def user_dashboards(user: User) -> QuerySet[SavedReport]:
    """Return the dashboards of a user with their sections, without frozen results."""
    mine = Q(dashboard_scope=SavedReport.DashboardScope.OWNER, owner=user)
    ours = Q(dashboard_scope=SavedReport.DashboardScope.TEAM, team__in=user.teams.all())
    rows = SavedReport.objects.filter(mine | ours).distinct().order_by("title", "pk")
    return rows.prefetch_related(Prefetch("sections", ReportSection.objects.defer("frozen_result")))


def share_link_by_token(token: str) -> ShareLink | None:
    """Return the link of a token, also if it has ended; None if share links are disabled."""
    if not settings.SHARE_LINKS:
        return None
    rows = ShareLink.objects.select_related("report__owner", "report__team", "created_by")
    return rows.filter(digest=token_digest(token)).first()


def token_digest(token: str) -> str:
    """Return the stored SHA-256 of a link's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def section_analysis(view: str, query: str) -> AnalysisResult:
    """Run the analysis of a section. Raises: ServiceError (400)."""
    if view not in VIEWS:
        message = _("There is no such view.")
        raise ServiceError(message, {"view": message}, status=400)
    return VIEWS[view].analyse(QueryDict(query))


def rendered(report: SavedReport) -> content.Report:
    """Return the report with its results: frozen ones, else computed now."""
    parts = tuple(section_part(section) for section in report.sections.all())
    has_results = any(part.result for part in parts)
    return content.Report(
        title=report.title,
        name=slugify(report.title)[:60] or f"report-{report.pk}",
        facts=tuple(report_facts(report)),
        text=report.text,
        parts=parts,
        reading=content.reading_guide() if has_results else (),
        conditions=conditions_of_sections(report.sections.all()),
    )


def conditions_of_sections(sections: Iterable[ReportSection]) -> tuple[BasisItem, ...]:
    """Return the merged conditions of all results: frozen ones, else computed now."""
    conditions: dict[tuple[str, str], tuple[BasisItem, ...]] = {}
    for section in sections:
        key = section.view, section.query
        if section.frozen_result is not None and section.frozen_result.conditions:
            conditions[key] = section.frozen_result.conditions
        elif section.view and key not in conditions:
            conditions[key] = conditions_of(*key)
    return merged(conditions.values())


def first_headline(sections: Iterable[ReportSection]) -> tuple[int, tuple[Finding, ...]] | None:
    """Return position and headline of the first section with a result, or None."""
    for section in sections:
        result = section_part(section).result
        if result is not None and not result.empty:
            return section.position, result.headline
    return None


def named_sections(
    sections: Iterable[ReportSection],
) -> list[tuple[ReportSection, str, SectionQuery]]:
    """Return sections with their names and queries, without running an analysis."""
    return [
        (one, section_heading(one) or Truncator(one.text).chars(80), section_query(one))
        for one in sections
    ]


def section_heading(section: ReportSection) -> str:
    """Return the section's title, or the title of its view."""
    view = VIEWS.get(section.view)
    return section.title or (str(view.title) if view else section.view)


def section_part(section: ReportSection) -> content.ReportPart:
    """Return a section with its result, or with the error of its analysis."""
    result, error = section.frozen_result, ""
    if result is None and section.view:
        try:
            result = section_analysis(section.view, section.query)
        except ServiceError as failure:
            error = failure.message
    title = section.title or (result.title if result else "")
    return content.ReportPart(str(title), section.text, result, error)


def report_facts(report: SavedReport) -> Iterator[tuple[str, str]]:
    """Yield owner, team and date of the results as (name, text)."""
    yield _("By"), report.owner.get_username()
    if report.team:
        yield _("Team"), report.team.name
    if report.frozen_at:
        yield _("Figures as of"), timestamp_text(report.frozen_at)
    else:
        yield _("Figures of"), timestamp_text(timezone.now())
