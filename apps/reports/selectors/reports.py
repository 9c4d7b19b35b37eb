"""Reads about reports: lists, a report with its answers, links."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

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
from apps.common.domain.preferences import moment_text
from apps.common.errors import ServiceError
from apps.reports.models import ReportSection, ReportShare, SavedReport


def reports_visible() -> QuerySet[SavedReport]:
    """Every report with its owner and the number of its sections; everybody may see all."""
    sections = Count("sections", distinct=True)
    open_ones = Q(
        shares__revoked_at=None, shares__expires_at__gt=timezone.now(),
        shares__made_by__is_active=True,
    )  # fmt: skip
    shares = Count("shares", filter=open_ones, distinct=True)
    rows = SavedReport.objects.select_related("owner", "team")
    return rows.annotate(section_count=sections, share_count=shares)


def reports_changeable(user: User) -> QuerySet[SavedReport]:
    """The reports to which this user may add a section, the one changed last first."""
    rows = SavedReport.objects.filter(frozen_at=None).order_by("-updated_at")
    mine = Q(owner=user) | Q(team__in=user.teams.all())
    return rows if user.is_admin else rows.filter(mine).distinct()


def dashboards_of(user: User) -> QuerySet[SavedReport]:
    """The reports on this user's home page, with their sections but for what frozen ones keep."""
    mine = Q(home=SavedReport.Home.OWNER, owner=user)
    ours = Q(home=SavedReport.Home.TEAM, team__in=user.teams.all())
    rows = SavedReport.objects.filter(mine | ours).distinct().order_by("title", "pk")
    return rows.prefetch_related(Prefetch("sections", ReportSection.objects.defer("answer")))


def share_of(token: str) -> ReportShare | None:
    """The link with this token, also one that has ended; None while links are switched off."""
    if not settings.SHARING:
        return None
    rows = ReportShare.objects.select_related("report__owner", "report__team", "made_by")
    return rows.filter(digest=digest_of(token)).first()


def digest_of(token: str) -> str:
    """The name under which a link's token is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


def answer_of(view: str, query: str) -> AnalysisResult:
    """The answer to a section's question. Raises ServiceError (400)."""
    if view not in VIEWS:
        words = _("There is no such view.")
        raise ServiceError(words, {"view": words}, status=400)
    return VIEWS[view].analyse(QueryDict(query))


def rendered(report: SavedReport) -> content.Report:
    """The report with its answers: those that are kept where it is frozen, else today's."""
    parts = tuple(part_of(section) for section in report.sections.all())
    has_answers = any(part.result for part in parts)
    return content.Report(
        title=report.title,
        name=slugify(report.title)[:60] or f"report-{report.pk}",
        facts=tuple(facts_of(report)),
        text=report.text,
        parts=parts,
        reading=content.reading_guide() if has_answers else (),
        conditions=conditions_of_sections(report.sections.all()),
    )


def conditions_of_sections(sections: Iterable[ReportSection]) -> tuple[BasisItem, ...]:
    """The conditions of all figures in these sections: as a frozen report keeps them, else
    today's.
    """
    known: dict[tuple[str, str], tuple[BasisItem, ...]] = {}
    for section in sections:
        asked = section.view, section.query
        if section.answer is not None and section.answer.conditions:
            known[asked] = section.answer.conditions
        elif section.view and asked not in known:
            known[asked] = conditions_of(*asked)
    return merged(known.values())


def first_answered(sections: Iterable[ReportSection]) -> tuple[int, tuple[Finding, ...]] | None:
    """The position of the first of these sections with an answer, and its headline, which stands
    at the top of the report; None without any.
    """
    for section in sections:
        answer = part_of(section).result
        if answer is not None and not answer.empty:
            return section.position, answer.headline
    return None


def named(sections: Iterable[ReportSection]) -> list[tuple[ReportSection, str]]:
    """Sections with what a list of them calls them, without an answer to their questions."""
    return [(one, heading_of(one) or Truncator(one.text).chars(80)) for one in sections]


def heading_of(section: ReportSection) -> str:
    """The section's title, else its view's."""
    room = VIEWS.get(section.view)
    return section.title or (str(room.title) if room else section.view)


def part_of(section: ReportSection) -> content.ReportPart:
    """A section as it is shown; a question that can no longer be answered says why."""
    answer, refused = section.answer, ""
    if answer is None and section.view:
        try:
            answer = answer_of(section.view, section.query)
        except ServiceError as error:
            refused = error.message
    title = section.title or (answer.title if answer else "")
    return content.ReportPart(str(title), section.text, answer, refused)


def facts_of(report: SavedReport) -> Iterator[tuple[str, str]]:
    """Whose report it is, and of when its figures are."""
    yield _("By"), report.owner.get_username()
    if report.team:
        yield _("Team"), report.team.name
    if report.frozen_at:
        yield _("Figures as of"), moment_text(report.frozen_at)
    else:
        yield _("Figures of"), moment_text(timezone.now())
