"""Every way of looking at results: a room and one line here. A room turns a query into a question,
and a question into an answer; everything else about answers is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django_filters import FilterSet

from apps.analysis.ceiling import room as ceiling
from apps.analysis.compare import room as compare
from apps.analysis.distribution import room as distribution
from apps.analysis.facts import room as facts
from apps.analysis.fleet import room as fleet
from apps.analysis.history import room as history
from apps.analysis.network import room as network
from apps.analysis.of_figures import of_figures
from apps.analysis.report import medians
from apps.analysis.result import AnalysisResult
from apps.analysis.selection.document import with_document
from apps.analysis.sweep import room as sweep
from apps.analysis.table import room as table
from apps.analysis.time import room as time
from apps.common.cache import cached
from apps.common.errors import Refused

CACHED = (history.KEY, fleet.KEY)


@dataclass(frozen=True)
class ViewRoom:
    """`question`: reads a query, raises Refused (400) for what is wrong in it; `answer`: pure but
    for reading; `knows`: whether a name belongs to the room's queries.
    """

    key: str
    title: str | Promise
    question: Callable[[QueryDict], Any]
    answer: Callable[[Any], AnalysisResult]
    knows: Callable[[str], bool]

    def asked(self, data: QueryDict) -> AnalysisResult:
        """The answer to a query; its selection may be JSON. Raises Refused (400)."""
        data = with_document(data)
        unknown = [name for name in data if not self.knows(name)]
        if unknown:
            words = {name: _("There is no such filter.") for name in sorted(unknown)}
            raise Refused(_("This cannot be asked so."), words, status=400)
        question = self.question(data)
        return self.answer_to(question)

    def answer_to(self, question: Any) -> AnalysisResult:
        """The answer, cached where it takes long in a large archive."""
        if self.key not in CACHED:
            return self.answer(question)
        return cached(self.key, question.query, AnalysisResult, lambda: self.answer(question))


def _of_filter(
    key: str, title: Promise, kind: type[FilterSet], answer: Callable[[Any], AnalysisResult]
) -> ViewRoom:
    """A room whose questions are those of a filter."""
    return ViewRoom(
        key, title, partial(of_figures, kind=kind), answer, lambda name: name in kind.base_filters
    )


ROOMS: Mapping[str, ViewRoom] = {
    one.key: one
    for one in (
        *(
            ViewRoom(one.KEY, one.TITLE, one.question, one.answer, one.knows)
            for one in (compare, sweep, table, network, time, medians)
        ),
        *(
            _of_filter(one.KEY, one.TITLE, one.FILTER, one.answer)
            for one in (history, fleet, distribution, ceiling, facts)
        ),
    )
}
