"""Levels of a factor, and the key that repeats match on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils import translation
from django.utils.translation import gettext as _

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.repeats import (
    Conditions,
    Ints,
    Repeats,
    WorkloadPoint,
    first_seen,
    with_settings,
)
from apps.plans.domain.param_text import param_label, value_text
from apps.tools.added_params import BACKGROUND
from apps.tools.background import NONE, background_text
from apps.tools.params import canonical_key
from apps.tools.registry import TOOLS
from apps.tools.values import Parameters
from apps.tools.workloads.order import Key, param_key, value_key
from apps.tools.workloads.varying import differing, varying
from apps.tuning.domain.baseline import tuning_key, tuning_label

RowKey = tuple[str, str, str]
"""(workload key, operation, target): the row of a comparison."""


@dataclass(frozen=True)
class Levels:
    """Labels of the factor's levels, the baseline first; `of`: index of each repeat's level.

    `names`: the same in English, for addresses and stored queries.
    """

    labels: tuple[str, ...]
    names: tuple[str, ...]
    of: Ints

    @property
    def baseline(self) -> str:
        return self.labels[0] if self.labels else ""

    def label_of(self, name: str) -> str:
        """Return the label of a level by its name or label; empty if there is none."""
        return _label_of(name, dict(zip(self.labels, self.names, strict=True)))


def levels_of(repeats: Repeats, query: ComparisonQuery) -> Levels:
    """Return the levels of these repeats.

    The baseline is the one of the query; for tunings else that of the newest run whose baseline was
    measured; else the first in order (numbers by size).
    """
    codes, named = _level_codes(repeats, query)
    names = _english_names(repeats, query, named)
    order = dict(named.values())
    labels = sorted(order, key=lambda label: (order[label], tuning_key(label)))
    candidates = [_label_of(query.baseline, names), *_planned_baselines(repeats, query)]
    first = [label for label in candidates if label in order][:1] or labels[:1]
    labels = [*first, *(label for label in labels if label not in first)]
    indices = {label: index for index, label in enumerate(labels)}
    of = np.zeros(max(named, default=0) + 1, dtype=np.int64)
    for code, (label, _key) in named.items():
        of[code] = indices[label]
    return Levels(tuple(labels), tuple(names[label] for label in labels), of[codes])


def _label_of(name: str, names: Mapping[str, str]) -> str:
    """Return the label with this name; `names`: English name of each label."""
    if name in names:
        return name
    return next((label for label, english in names.items() if english == name), "")


def _english_names(
    repeats: Repeats, query: ComparisonQuery, named: Mapping[int, tuple[str, Key]]
) -> dict[str, str]:
    """Return the English name of each label, so that an address means the same to all readers."""
    if translation.get_language() == "en":
        return {label: label for label, _key in named.values()}
    with translation.override("en"):
        english = _level_codes(repeats, query)[1]
    return {label: english[code][0] for code, (label, _key) in named.items()}


def run_label(number: int) -> str:
    """Return the level of a run."""
    return _("Run {number}").format(number=number)


def with_param(repeats: Repeats, name: str) -> Repeats:
    """Return the repeats whose workloads have this parameter; all without a name.

    Other tools may lack it, and for imports it may be unknown.
    """
    has = [not name or name in p.params or name in _default_params(p) for p in repeats.points]
    return repeats.where(np.array(has, dtype=bool)[repeats.point])


def _default_params(point: WorkloadPoint) -> Parameters:
    """Return default values of parameters that older versions of the tool lack.

    Only if every other parameter is known.
    """
    plugin = TOOLS.get(point.tool)
    if plugin is None or plugin.params is None:
        return {}
    needed = {name for name, field in plugin.params.fields().items() if not field.optional}
    return plugin.params.later if needed - plugin.params.later.keys() <= point.params.keys() else {}


def params_that_vary(repeats: Repeats) -> dict[str, str]:
    """Return parameters in which workloads differ, as possible factors: name to label."""
    points = repeats.points_here
    result = differing((point.params for point in points), stated_only=True)
    return {
        name: next(param_label(point.tool, name) for point in points if name in point.params)
        for name in result
    }


def swept_params(repeats: Repeats) -> dict[str, bool]:
    """Return parameters in which otherwise equal workloads differ, with True for numbers.

    Numbers are first, sorted by their number of values.
    """
    result = varying((point.tool, point.params) for point in repeats.points_here)
    names = sorted(result, key=lambda name: (not result[name].is_number, -len(result[name].values)))
    return {name: result[name].is_number for name in names}


def workload_key_of(point: WorkloadPoint, query: ComparisonQuery) -> str:
    """Return the key that workloads match on: their own, or without the compared parameter."""
    if not query.param:
        return point.key
    return _key_without(point, query.param)


def _key_without(point: WorkloadPoint, name: str) -> str:
    rest = {key: value for key, value in point.params.items() if key != name}
    return canonical_key({"tool": point.tool, "params": rest})


def place_label(here: Conditions, factor: str) -> str:
    """Return host, target and tuning of a repeat, without the factor."""
    parts = {
        "tuning": (here.host_name, here.target),
        "host": (here.properties["tuning"],),
        "disk": (here.properties["tuning"],),
        "target": (here.properties["tuning"],),
    }
    both = (here.host_name, here.target, here.properties["tuning"])
    return " · ".join(part for part in parts.get(factor, both) if part)


def _level_codes(
    repeats: Repeats, query: ComparisonQuery
) -> tuple[Ints, dict[int, tuple[str, Key]]]:
    """Return the code of each repeat's level, and each code's label and order."""
    if query.param:
        points = {code: repeats.points[code] for code in first_seen(repeats.point)}
        return repeats.point, {
            code: (
                _param_level(point, query.param),
                param_key(point.tool, query.param, _param_value(point, query.param)),
            )
            for code, point in points.items()
        }
    if query.factor == "run":
        result, codes = np.unique(repeats.run, return_inverse=True)
        runs: list[int] = result.tolist()
        return codes, {code: (run_label(run), value_key(run)) for code, run in enumerate(runs)}
    here = {code: repeats.shared[code] for code in first_seen(repeats.conditions)}
    of = _level_function(list(here.values()), query.factor)
    return repeats.conditions, {code: (of(each), ()) for code, each in here.items()}


def _planned_baselines(repeats: Repeats, query: ComparisonQuery) -> list[str]:
    """Return the labels of the runs' baseline tunings, the newest run's first.

    Empty for other factors.
    """
    if query.factor != "tuning" or not repeats.baseline_tunings:
        return []
    here = repeats.shared_here
    of = _level_function(here, query.factor)
    labels = {(each.tuning_name, each.tuning_text): of(each) for each in here}
    return [labels[one] for one in repeats.baseline_tunings if one in labels]


def _level_function(result: Sequence[Conditions], factor: str) -> Callable[[Conditions], str]:
    if factor == "host":
        return lambda here: here.host_name
    if factor in ("target", "disk"):
        return lambda here: here.target_label
    # A tuning is its name; if its settings changed between runs, they are added.
    names = Counter(name for name, _settings in {(c.tuning_name, c.tuning_text) for c in result})
    return lambda here: (
        with_settings(here.tuning_name, here.tuning_text)
        if names[here.tuning_name] > 1
        else tuning_label(here.tuning_name)
    )


def _param_level(point: WorkloadPoint, name: str) -> str:
    tool = point.tool
    if name == BACKGROUND:
        value = _param_value(point, name)
        if value in (None, NONE):
            return _("no background load")
        return _("background load {load}").format(load=background_text(value))
    return f"{param_label(tool, name)} {value_text(tool, name, _param_value(point, name))}"


def _param_value(point: WorkloadPoint, name: str) -> object:
    return point.params.get(name, _default_params(point).get(name))
