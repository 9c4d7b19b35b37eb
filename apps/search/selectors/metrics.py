"""Metrics by their labels; each leads to the histories of that metric."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.search.domain.terms import Term
from apps.tools.metrics import METRICS, METRICS_BY_PRIORITY, OVER_TIME, Metric


def metrics_holding(terms: Sequence[Term]) -> list[Metric]:
    """Return the metrics of the history whose labels hold every term, the main ones first."""
    metrics = [METRICS[key] for key in (*METRICS_BY_PRIORITY, *OVER_TIME)]
    return [metric for metric in metrics if all(_holds(metric, term) for term in terms)]


def metric_address(metric: Metric) -> str:
    """Return the URL of the history of the metric."""
    return f"{reverse('history')}?{urlencode({'metric': metric.key})}"


def _holds(metric: Metric, term: Term) -> bool:
    label = f"{metric.label} {metric.head} {_(metric.label)}".lower()
    return term.text.lower() in label
