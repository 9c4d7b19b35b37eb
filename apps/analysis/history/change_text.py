"""Sentences about changes of a history."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.history.readings import PROPERTIES, ConfigChange
from apps.analysis.history.result import Level
from apps.analysis.history.segments import ChangePoint
from apps.analysis.result import Finding
from apps.common.domain.preferences import in_zone
from apps.common.domain.units import significant
from apps.common.domain.value_format import format_metric
from apps.common.domain.verdicts import VerdictKind
from apps.tools.metrics import METRICS


def change_point_finding(point: ChangePoint, metric: str, *, network: bool = False) -> Finding:
    """Return the finding of a change.

    Example: "Host defaults: since 12 March 2026 Latency p99 is 18 % higher (1.2 ms, before 1.02
    ms); that day the kernel went from 6.1 to 6.6."
    """
    return Finding(change_point_text(point, metric, network=network), kind_of(point, metric))


def change_point_text(point: ChangePoint, metric: str, *, network: bool = False) -> str:
    """Return the sentence of a change."""
    # xgettext:no-python-format
    higher = _("{level}: since {day} {metric} is {percent} % higher ({after}, before {before}).")
    # xgettext:no-python-format
    lower = _("{level}: since {day} {metric} is {percent} % lower ({after}, before {before}).")
    text = (higher if point.ratio > 1 else lower).format(
        level=point.level,
        day=day_text(point.at),
        metric=_(METRICS[metric].head),
        percent=significant(abs(point.ratio - 1) * 100, digits=2),
        after=format_metric(metric, point.after.median, network=network),
        before=format_metric(metric, point.before.median, network=network),
    )
    cause = cause_text(point)
    return f"{text[:-1]}; {cause}." if cause else text


def cause_text(point: ChangePoint) -> str:
    """Return the configuration changes at the same time; empty if unknown."""
    if not point.marks:
        return ""
    changed = _(" and ").join(_change_text(mark) for mark in point.marks)
    if point.at_once:
        return _("that day {changed}").format(changed=changed)
    return _("on {day} {changed}").format(day=day_text(point.marks[0].at), changed=changed)


def _change_text(mark: ConfigChange) -> str:
    text = _("the {what} went from {before} to {after}")
    return text.format(what=PROPERTIES[mark.what], before=mark.before, after=mark.after)


def no_change_text(level: Level) -> str:
    """Return the sentence of a level whose medians have no change point."""
    text = _("{level}: no change in {runs}.")
    return text.format(level=level.label, runs=runs_text(len(level.runs)))


def changed_text(level: Level) -> str:
    """Return the sentence of a level with change points: when the last one was, no values."""
    last = level.segments[-1]
    text = _("{level}: changed on {day}, after {before}; {after} since then.")
    return text.format(
        level=level.label,
        day=day_text(last.first.at),
        before=runs_text(sum(one.runs for one in level.segments[:-1])),
        after=runs_text(last.runs),
    )


def day_text(timestamp: datetime) -> str:
    """Return a day as "12 March 2026"."""
    return date_format(in_zone(timestamp), "j F Y")


def kind_of(point: ChangePoint, metric: str) -> VerdictKind | None:
    """Return better or worse; None for a metric without a better direction."""
    higher = METRICS[metric].higher_is_better
    if higher is None:
        return None
    return VerdictKind.BETTER if (point.ratio > 1) == higher else VerdictKind.WORSE


def runs_text(number: int) -> str:
    """Return a number of runs: "3 runs"."""
    return ngettext("{n} run", "{n} runs", number).format(n=f"{number:,}")
