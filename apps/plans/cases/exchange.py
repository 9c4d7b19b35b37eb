"""Levels that are exchanged inside a block: those of the factor that a plan decides between.

A verdict asks in how many orders of a block its two sides would lie as far apart. So the levels
must have come in random order there: those of tunings always do, targets, hosts and the values of a
swept parameter only where a plan decides between them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from django.utils.translation import gettext as _

from apps.tools.params import canonical_key
from apps.tools.values import Parameters

TUNING, TARGET, HOST = "tuning", "target", "host"
PARAM = "param:"
_PARAM = re.compile(r"param:[a-z][a-z0-9_]{0,39}")
MOST_LETTERS = 46

Test = TypeVar("Test")


def is_factor(factor: str) -> bool:
    """Whether a plan can decide between its levels: "tuning", "target", "host", or "param:" with
    the name of a parameter.
    """
    return factor in (TUNING, TARGET, HOST) or bool(_PARAM.fullmatch(factor))


FACTOR_HELP = 'Between what is decided: "tuning", "target", "host", or "param:<name>".'


def factor_words(factor: str) -> str:
    """Between what a plan decides, as read behind "between"."""
    known = {TUNING: _("tunings"), TARGET: _("targets"), HOST: _("hosts")}
    if factor in known:
        return known[factor]
    return _("values of %(name)s") % {"name": factor.removeprefix(PARAM)}


def exchange_key(
    factor: str, step: Hashable, tool: str, params: Parameters, target: Hashable
) -> Hashable:
    """Of one test (a workload on a target): equal for those that are exchanged with each other."""
    without = factor.removeprefix(PARAM) if factor.startswith(PARAM) else ""
    rest = {name: value for name, value in params.items() if name != without}
    return step, tool, canonical_key(rest), None if factor in (TARGET, HOST) else target


def exchanged(tests: Iterable[Test], key: Callable[[Test], Hashable]) -> list[list[Test]]:
    """Tests in groups of those with one key, in the order of each group's first."""
    found: dict[Hashable, list[Test]] = defaultdict(list)
    for test in tests:
        found[key(test)].append(test)
    return list(found.values())


def most_levels(groups: Iterable[Sequence[Test]], level: Callable[[Test], Hashable]) -> int:
    """The most levels that any group has."""
    return max((len({level(test) for test in group}) for group in groups), default=0)
