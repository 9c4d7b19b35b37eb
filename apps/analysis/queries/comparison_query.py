"""Query of a comparison, with a canonical query string."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.queries.errors import query_error
from apps.analysis.queries.fields import MAX_ID
from apps.analysis.queries.filters import selection_of
from apps.analysis.queries.selection import EVERYTHING, PARTS, Selection, is_number, only
from apps.tools.metrics import COMPARISON_METRICS

FACTOR_LABELS: Mapping[str, Promise] = {
    "tuning": lazy("Tuning"),
    "host": lazy("Host"),
    "target": lazy("Target"),
    "disk": lazy("Disk or directory of one host"),
    "run": lazy("Run"),
}
FACTORS = tuple(FACTOR_LABELS)
MAX_RUNS = 500
OWN = ("run", "plan", "host", "target", "tuning")
"""Parts of a selection that are fields of the query."""
FURTHER = tuple(name for name in PARTS if name not in OWN)
NAMES = frozenset(
    {"run", "plan", "factor", "baseline", "operation", "metric", "host", "target"}
    | {"tuning", "minimum"}
    | set(FURTHER)
)
_PARAM = re.compile(r"param:[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class ComparisonQuery:
    """Query of a comparison: runs, or all runs of a plan (or both), factor, and filters.

    `further`: parts of the selection without a field here; several plans, hosts, tunings or
    targets, or a tuning or target by number. `factor`: one of FACTORS or "param:<name>".
    `baseline`: a level's label, empty for the runs' own. `metrics`: those to test, empty for as
    many as the repeats allow. `host` is an id, `target` and `tuning` are names. `minimum`: percent
    below which a difference is ignored.
    """

    runs: tuple[int, ...] = ()
    plan: int | None = None
    factor: str = "tuning"
    baseline: str = ""
    operation: str = ""
    metrics: tuple[str, ...] = ()
    host: int | None = None
    target: str = ""
    tuning: str = ""
    minimum: float = 0.0
    further: Selection = EVERYTHING

    @property
    def is_empty(self) -> bool:
        return not self.runs and self.plan is None and self.whole.names_nothing

    @property
    def whole(self) -> Selection:
        """Return the selection within the runs, with host and tuning."""
        result = self.further
        if self.tuning:
            result = replace(result, tuning=(self.tuning,))
        if self.host is not None:
            result = replace(result, host=(self.host,))
        return result

    @property
    def param(self) -> str:
        """Return the compared parameter; empty for another factor."""
        return self.factor.removeprefix("param:") if self.factor.startswith("param:") else ""

    def pairs(self) -> list[tuple[str, str]]:
        """Return names and values of the query in canonical order, without defaults."""
        result = [("run", str(run)) for run in self.runs]
        result += [("plan", str(self.plan))] if self.plan is not None else []
        result += [("factor", self.factor)] if self.factor != "tuning" else []
        result += _non_empty(("baseline", self.baseline), ("operation", self.operation))
        result += [("metric", metric) for metric in self.metrics]
        result += [("host", str(self.host))] if self.host is not None else []
        result += _non_empty(("target", self.target), ("tuning", self.tuning))
        result += self.further.pairs()
        return result + ([("minimum", f"{self.minimum:g}")] if self.minimum else [])

    def urlencode(self, *more: tuple[str, str]) -> str:
        """Return the query string with `more` at its end."""
        return urlencode([*self.pairs(), *more])


def parse_comparison_query(data: QueryDict) -> ComparisonQuery:
    """Parse a query. Raises: ServiceError (400) with the invalid names.

    An empty value counts as missing, so that a form may submit all its fields.
    """
    errors: dict[str, list[str]] = {}

    def check(name: str, is_valid: bool, message: str) -> None:
        if not is_valid:
            errors[name] = [message]

    runs = [text for text in data.getlist("run") if text]
    factor = data.get("factor") or "tuning"
    metrics = [text for text in data.getlist("metric") if text]
    minimum = data.get("minimum") or "0"
    number = _("Give a number.")
    check("run", all(map(is_id, runs)), number)
    check("run", len(runs) <= MAX_RUNS, _("Choose fewer runs."))
    check("factor", factor in FACTORS or bool(_PARAM.fullmatch(factor)), _factor_text())
    check(
        "metric", set(metrics) <= set(COMPARISON_METRICS), _("There is no such metric to compare.")
    )
    check("minimum", _is_percent(minimum), _("Give a percentage from 0 to 1000."))
    for name in ("baseline", "operation", "target", "tuning"):
        check(name, "\0" not in (data.get(name) or ""), _("Text may hold no NUL."))
    if errors:
        raise query_error(errors)
    further, ids = _further_selection(data)
    return ComparisonQuery(
        runs=tuple(sorted({int(text) for text in runs})),
        plan=ids["plan"],
        factor=factor,
        baseline=data.get("baseline") or "",
        operation=data.get("operation") or "",
        metrics=tuple(key for key in COMPARISON_METRICS if key in metrics),
        host=ids["host"],
        target="" if further.target else data.get("target") or "",
        tuning="" if further.tuning else data.get("tuning") or "",
        minimum=float(minimum),
        further=further,
    )


_IDS = ("plan", "host")
_NAMED = ("tuning", "target")


def _further_selection(data: QueryDict) -> tuple[Selection, dict[str, int | None]]:
    """Return the parts without a field here, and the ids of those with a field."""
    several = [name for name in _IDS if _are_several(data, name)]
    several += [name for name in _NAMED if _is_selection(data, name)]
    parts = only(data, *FURTHER, *several)
    further = selection_of(parts) if parts else EVERYTHING
    ids = {name: None if name in several else _id(data.get(name)) for name in _IDS}
    if len(further.plan) == 1:
        ids["plan"], further = further.plan[0], replace(further, plan=())
    if len(further.host) == 1:
        ids["host"], further = further.host[0], replace(further, host=())
    return further, ids


def _are_several(data: QueryDict, name: str) -> bool:
    """Return True for several values or a name."""
    texts = [text for text in data.getlist(name) if text]
    return len(texts) > 1 or not all(map(is_id, texts))


def _is_selection(data: QueryDict, name: str) -> bool:
    """Return True for several values or a number; one name narrows the comparison."""
    texts = [text for text in data.getlist(name) if text]
    return len(texts) > 1 or any(map(is_number, texts))


def _factor_text() -> str:
    return _("Compare by tuning, host, target, disk, run, or a parameter: param:iodepth.")


def _non_empty(*pairs: tuple[str, str]) -> Iterable[tuple[str, str]]:
    return [pair for pair in pairs if pair[1]]


def _id(text: str | None) -> int | None:
    return int(text) if text else None


def is_id(text: str) -> bool:
    """Return True for the text of a row's number."""
    return text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MAX_ID


def _is_percent(text: str) -> bool:
    return bool(re.fullmatch(r"\d{1,4}(\.\d{1,4})?", text, re.ASCII)) and float(text) <= 1000
