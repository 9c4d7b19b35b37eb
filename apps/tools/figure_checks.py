"""Figures that no measurement can have, checked once behind all parsers."""

from __future__ import annotations

from dataclasses import replace

from apps.tools.messages import message
from apps.tools.parse_result import Latency, Measurement, Parsed

_LARGEST = 1e300
_LATENCIES = ("min", "mean", "max", "stddev")


def without_impossible_figures(parsed: Parsed) -> Parsed:
    """Remove figures that are negative or not finite. A result that loses one, and an output with
    such a result, is partial; a warning names the figures.
    """
    checked = tuple(map(_checked, parsed.measurements))
    if checked == parsed.measurements:
        return parsed
    lost = [text for each in checked for text in each.warnings if text not in parsed.warnings]
    return replace(
        parsed,
        measurements=checked,
        completeness="partial",
        warnings=(*parsed.warnings, *dict.fromkeys(lost)),
    )


def _checked(found: Measurement) -> Measurement:
    figures = {"bandwidth": found.bandwidth, "iops": found.iops}
    figures |= {f"latency {name}": getattr(found.latency, name) for name in _LATENCIES}
    figures |= {f"p{name}": value for name, value in found.latency.percentiles.items()}
    wrong = [name for name, value in figures.items() if value is not None and not _possible(value)]
    if not wrong:
        return found
    warning = message(
        "%(operation)s: impossible figures were left out: %(names)s.",
        operation=found.operation,
        names=", ".join(wrong),
    )
    latency = found.latency
    return replace(
        found,
        bandwidth=_or_none(found.bandwidth),
        iops=_or_none(found.iops),
        latency=Latency(
            **{name: _or_none(getattr(latency, name)) for name in _LATENCIES},
            percentiles={n: v for n, v in latency.percentiles.items() if _possible(v)},
        ),
        completeness="partial",
        warnings=(*found.warnings, warning),
    )


def _possible(value: float) -> bool:
    # NaN fails both comparisons.
    return 0 <= value < _LARGEST


def _or_none(value: float | None) -> float | None:
    return value if value is not None and _possible(value) else None
