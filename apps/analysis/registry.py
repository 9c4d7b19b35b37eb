"""Registry of analysis views: one package and one line each.

A view parses a query string and computes an AnalysisResult from it. Pages, API, exports, reports
and alerts read the registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django_filters import FilterSet

from apps.analysis.bottleneck import analysis as bottleneck
from apps.analysis.compare import analysis as compare
from apps.analysis.config_diff import analysis as config_diff
from apps.analysis.distribution import analysis as distribution
from apps.analysis.fleet import analysis as fleet
from apps.analysis.history import analysis as history
from apps.analysis.medians import analysis as medians
from apps.analysis.network import analysis as network
from apps.analysis.queries.selection_json import expand_selection_json
from apps.analysis.queries.summary_query import parse_summary_query
from apps.analysis.result import AnalysisResult
from apps.analysis.sweep import analysis as sweep
from apps.analysis.table import analysis as table
from apps.analysis.timeseries import analysis as timeseries
from apps.common.cache import cached
from apps.common.errors import ServiceError

CACHED = (history.KEY, fleet.KEY)


@dataclass(frozen=True)
class AnalysisView:
    """View that computes an AnalysisResult from a query string.

    `parse_query` raises ServiceError (400) for invalid parameters; `accepts` returns True for a
    parameter name of the view.
    """

    key: str
    title: str | Promise
    parse_query: Callable[[QueryDict], Any]
    compute: Callable[[Any], AnalysisResult]
    accepts: Callable[[str], bool]

    def analyse(self, data: QueryDict) -> AnalysisResult:
        """Return the result of a query string. Raises: ServiceError (400)."""
        return self.result(self.parse(data))

    def parse(self, data: QueryDict) -> Any:
        """Return the query of a query string; its selection may be JSON.

        Raises: ServiceError (400) that names each unknown or invalid filter.
        """
        data = expand_selection_json(data)
        unknown = [name for name in data if not self.accepts(name)]
        if unknown:
            fields = {name: _("There is no such filter.") for name in sorted(unknown)}
            message = _("There is no such filter: %(names)s.") % {"names": ", ".join(fields)}
            raise ServiceError(message, fields, status=400)
        return self.parse_query(data)

    def result(self, query: Any) -> AnalysisResult:
        """Return the result of a parsed query, from the cache for views of large archives."""
        if self.key not in CACHED:
            return self.compute(query)
        return cached(self.key, query.query, AnalysisResult, lambda: self.compute(query))


def _view(module: ModuleType) -> AnalysisView:
    """Return the view of a package whose query is a summary filter, or its own."""
    kind: type[FilterSet] | None = getattr(module, "FILTER", None)
    if kind is None:
        return AnalysisView(
            module.KEY, module.TITLE, module.parse_query, module.compute, module.accepts
        )
    return AnalysisView(
        module.KEY,
        module.TITLE,
        partial(parse_summary_query, kind=kind),
        module.compute,
        kind.base_filters.__contains__,
    )


PACKAGES = (
    compare,
    sweep,
    table,
    network,
    timeseries,
    medians,
    history,
    fleet,
    distribution,
    bottleneck,
    config_diff,
)
VIEWS: Mapping[str, AnalysisView] = {view.key: view for view in map(_view, PACKAGES)}
