"""Analysis view "compare": levels against the baseline."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.analysis.compare.result import VIEW as KEY
from apps.analysis.compare.result import compute
from apps.analysis.queries.comparison_query import NAMES
from apps.analysis.queries.comparison_query import parse_comparison_query as parse_query

TITLE = _("Compare")


def accepts(name: str) -> bool:
    """Return True if a comparison query may contain this name."""
    return name in NAMES


__all__ = ["KEY", "TITLE", "accepts", "compute", "parse_query"]
