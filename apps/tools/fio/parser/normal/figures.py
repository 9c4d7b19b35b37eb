"""Figures of a job in fio's text, and conversion of parts of its lines."""

from __future__ import annotations

import calendar
import re
import time
from dataclasses import dataclass, field

from apps.tools.fio.parser.direction import OPERATIONS, Phase
from apps.tools.parse_result import Latency
from apps.tools.values import Values

from . import patterns as pattern
from .printed import Line
from .units import NANOSECONDS, amount, pairs

LATENCY_NAMES = {"min": "min", "avg": "mean", "max": "max", "stdev": "stddev"}
SAMPLE_NAMES = {**LATENCY_NAMES, "samples": "samples"}


@dataclass
class DirectionFigures:
    """Printed figures of one direction of a job."""

    line: Line
    text: str
    phases: dict[str, dict[str, float]] = field(default_factory=dict)
    percentiles: dict[str, dict[str, float]] = field(default_factory=dict)
    samples: Values = field(default_factory=dict)


@dataclass
class Syncs:
    """Printed figures of a job's syncs; `operations`: calls of fsync, 0 if unknown."""

    latency: dict[str, float] = field(default_factory=dict)
    percentiles: dict[str, float] = field(default_factory=dict)
    operations: int = 0


def clock(date: str | None) -> float | None:
    """Return "Wed Oct 10 22:51:54 2018" (ctime) as seconds; None for other text."""
    try:
        return calendar.timegm(time.strptime(date)) if date else None
    except ValueError:
        return None


def short_operations(text: str) -> set[str]:
    """Return the directions with short operations.

    Formats: "short=0,0,0,0" and "short=r=0/w=0/d=0".
    """
    match = pattern.SHORT.search(text)
    counts = re.findall(r"\d+", match[1]) if match else []
    return {name for name, count in zip(OPERATIONS, counts, strict=False) if int(count)}


def steady_state(match: re.Match[str]) -> Values:
    """Return whether the job reached a steady state, and its criterion ("iops mean dev 4.443%")."""
    result: Values = {"attained": match["attained"] == "yes"}
    if match["criterion"]:
        result["criterion"] = f"{match['criterion']} {match['value']}"
    return result


def latency_pairs(match: re.Match[str]) -> dict[str, float]:
    result = pairs(match["pairs"], NANOSECONDS[match["unit"]])
    return {label: result[name] for name, label in LATENCY_NAMES.items() if name in result}


def sample_unit(text: str, figures: DirectionFigures | None) -> float:
    """Return the bytes of a unit of bandwidth samples ("KiB", "MB").

    fio samples KiB regardless of the label, and divides by kb_base for a larger unit (stat.c).
    """
    first = amount("1" + text, 1024) or 1
    return first / 1024 * 1000 if figures and figures.line.decimal and text[:1] in "MGT" else first


def shares(text: str) -> dict[str, float]:
    """Return the non-zero percentages by bucket."""
    return {name: float(share) for name, share in pattern.SHARE.findall(text) if float(share)}


def phases_of(figures: DirectionFigures, operations: int) -> dict[str, Phase]:
    phases: dict[str, Phase] = {}
    for name in ("slat", "clat", "lat"):
        phase: dict[str, float] = figures.phases.get(name, {})
        latency = Latency(**phase, percentiles=figures.percentiles.get(name, {}))
        phases[name] = Phase(latency, operations if phase else 0)
    return phases
