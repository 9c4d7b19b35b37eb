"""Factors: the property whose levels a plan compares."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from apps.tools.added_params import BACKGROUND

TUNING, TARGET, HOST = "tuning", "target", "host"
PARAM = "param:"
_PARAM = re.compile(r"param:[a-z][a-z0-9_]{0,39}")
MAX_LETTERS = 46


def is_factor(factor: str) -> bool:
    """Return True for "tuning", "target", "host", or "param:" with a parameter's name."""
    return factor in (TUNING, TARGET, HOST) or bool(_PARAM.fullmatch(factor))


FACTOR_HELP = 'The factor whose levels are compared: "tuning", "target", "host", or "param:<name>".'


def factor_words(factor: str) -> str:
    """Return the levels of a factor as text to stand after "between"."""
    known = {
        TUNING: _("tunings"),
        TARGET: _("targets"),
        HOST: _("hosts"),
        f"{PARAM}{BACKGROUND}": _("background loads"),
    }
    if factor in known:
        return known[factor]
    return _("values of %(name)s") % {"name": factor.removeprefix(PARAM)}
