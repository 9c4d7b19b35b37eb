"""Analysis view "sweep": results over one parameter."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.analysis.sweep.query import accepts
from apps.analysis.sweep.query import parse_sweep_query as parse_query
from apps.analysis.sweep.result import VIEW as KEY
from apps.analysis.sweep.result import compute

TITLE = _("Parameter sweep")

__all__ = ["KEY", "TITLE", "accepts", "compute", "parse_query"]
