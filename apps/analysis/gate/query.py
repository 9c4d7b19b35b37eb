"""Query of a gate: a run, what it is compared with, and limits; with a canonical query string."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.analysis.queries.comparison_query import is_id
from apps.analysis.queries.errors import query_error
from apps.tools.metrics import METRICS, TABLE_METRICS

SUFFIX = "_worse"
LIMITS: Mapping[str, str] = {f"{metric}{SUFFIX}": metric for metric in TABLE_METRICS}
"""Metrics by the names of their limits in a query: "iops_worse"."""
MAX_PERCENT = 1000.0
MAX_RATE_PERCENT = 100.0
"""A rate cannot be worse than zero."""
MAX_TEXT = 200
NAMES = frozenset({"run", "against", "operation", *LIMITS})


class Against(StrEnum):
    """Kinds of what a run is compared with."""

    BASELINE = "baseline"
    RUN = "run"
    TUNING = "tuning"
    PARAM = "param"


@dataclass(frozen=True)
class GateQuery:
    """Query of a gate.

    `kind` and `name`: a baseline's name, a run's number, the name of a tuning of this run, or a
    parameter with its value ("rate_iops=1000"). `limits`: percent by metric, in the metrics' order.
    """

    run: int
    kind: Against
    name: str
    limits: tuple[tuple[str, float], ...]
    operation: str = ""

    @property
    def against(self) -> str:
        return f"{self.kind}:{self.name}"

    def pairs(self) -> list[tuple[str, str]]:
        """Return names and values of the query in canonical order."""
        result = [("run", str(self.run)), ("against", self.against)]
        result += [("operation", self.operation)] if self.operation else []
        return result + [(f"{metric}{SUFFIX}", f"{percent:g}") for metric, percent in self.limits]

    def urlencode(self, *more: tuple[str, str]) -> str:
        """Return the query string with `more` at its end."""
        return urlencode([*self.pairs(), *more])


def limit_ratio(metric: str, percent: float) -> float:
    """Return the ratio to the baseline that is still good: 0.95 for IOPS 5 % worse."""
    return 1 - percent / 100 if METRICS[metric].higher_is_better else 1 + percent / 100


def parse_gate_query(data: QueryDict) -> GateQuery:
    """Parse a query. Raises: ServiceError (400) with the invalid names.

    An empty value counts as missing, so that a form may submit all its fields.
    """
    errors: dict[str, list[str]] = {
        name: [_("There is no such filter.")] for name in sorted(set(data) - NAMES)
    }
    run, against = data.get("run") or "", (data.get("against") or "").strip()
    if not is_id(run):
        errors["run"] = [_("Give the number of a run.")]
    kind, _colon, name = against.partition(":")
    if problem := _against_problem(kind, name, run):
        errors["against"] = [problem]
    operation = data.get("operation") or ""
    if "\0" in operation or len(operation) > MAX_TEXT:
        errors["operation"] = [_("There is no such operation.")]
    limits = _limits(data, errors)
    if not limits and not errors:
        errors["iops_worse"] = [_("Give a limit for one metric at least.")]
    if errors:
        raise query_error(errors)
    return GateQuery(int(run), Against(kind), name.strip(), limits, operation)


def _against_problem(kind: str, name: str, run: str) -> str:
    """Return what is wrong with the value of "against"; empty for a valid one."""
    if kind not in Against.__members__.values() or not name.strip():
        return _("Give baseline:NAME, run:NUMBER, tuning:NAME or param:NAME=VALUE to compare with.")
    if "\0" in name or len(name) > MAX_TEXT:
        return _("The name is not valid.")
    if kind == Against.RUN and not is_id(name):
        return _("Give the number of a run.")
    if kind == Against.RUN and is_id(run) and int(name) == int(run):
        return _("A run cannot be compared with itself.")
    if kind == Against.PARAM and not re.fullmatch(r"[a-z][a-z0-9_]{0,39}=.+", name, re.DOTALL):
        return _("Give a parameter with its value: param:rate_iops=1000.")
    return ""


def _limits(data: QueryDict, errors: dict[str, list[str]]) -> tuple[tuple[str, float], ...]:
    result = []
    for name, metric in LIMITS.items():
        text = (data.get(name) or "").strip().removesuffix("%").strip()
        if not text:
            continue
        try:
            result.append((metric, _percent(metric, text)))
        except ValueError as problem:
            errors[name] = [str(problem)]
    return tuple(result)


def _percent(metric: str, text: str) -> float:
    """Return a limit in percent. Raises: ValueError with a translated sentence."""
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4})?", text, re.ASCII):
        raise ValueError(_("Give a percentage, such as 5."))
    percent = float(text)
    if percent == 0:
        raise ValueError(_("Give a difference that matters: a limit above 0 %."))
    limit = MAX_RATE_PERCENT if METRICS[metric].higher_is_better else MAX_PERCENT
    if percent >= limit:
        raise ValueError(_("Give a percentage below {limit:g}.").format(limit=limit))
    return percent


def factor_of(query: GateQuery) -> str:
    """Return the factor of the comparison with a tuning, a parameter's value or a run."""
    if query.kind is Against.PARAM:
        return f"param:{query.name.partition('=')[0]}"
    factors: Mapping[Against, Literal["tuning", "run"]] = {Against.TUNING: "tuning"}
    return factors.get(query.kind, "run")
