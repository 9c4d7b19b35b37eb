"""Further metrics of network tests, as rows of a case's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.common.templatetags.benchlab_format import figure
from apps.results.presenters.case import OperationFigures
from apps.results.presenters.charts import NETWORK
from apps.results.schemas.values import typed_value
from apps.tools.metrics import METRICS


def network_rows(figures: Sequence[OperationFigures]) -> list[tuple[str, list[Any]]]:
    """Return (name, a cell per operation) of each metric that an operation has."""
    rows = []
    for name in NETWORK:
        values = [typed_value(result.row.values, name, float) for result in figures]
        if any(value is not None for value in values):
            unit = METRICS[name].unit or "1"
            rows.append((_(METRICS[name].label), [figure(value, unit) for value in values]))
    return rows
