"""Check of impossible values, applied to the results of all parsers."""

from __future__ import annotations

from dataclasses import replace

from apps.tools.messages import message
from apps.tools.parse_result import Latency, Measurement, Parsed

_LARGEST = 1e300
_LATENCIES = ("min", "mean", "max", "stddev")


def without_impossible_figures(parsed: Parsed) -> Parsed:
    """Remove values that are negative or not finite.

    A result that loses a value, and an output with such a result, becomes partial; a warning names
    the values.
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


def _checked(measurement: Measurement) -> Measurement:
    figures = {"bandwidth": measurement.bandwidth, "iops": measurement.iops}
    figures |= {f"latency {name}": getattr(measurement.latency, name) for name in _LATENCIES}
    figures |= {f"p{name}": value for name, value in measurement.latency.percentiles.items()}
    wrong = [name for name, value in figures.items() if value is not None and not _possible(value)]
    if not wrong:
        return measurement
    warning = message(
        "%(operation)s: impossible figures were left out: %(names)s.",
        operation=measurement.operation,
        names=", ".join(wrong),
    )
    latency = measurement.latency
    return replace(
        measurement,
        bandwidth=_or_none(measurement.bandwidth),
        iops=_or_none(measurement.iops),
        latency=Latency(
            **{name: _or_none(getattr(latency, name)) for name in _LATENCIES},
            percentiles={n: v for n, v in latency.percentiles.items() if _possible(v)},
        ),
        completeness="partial",
        warnings=(*measurement.warnings, warning),
    )


def _possible(value: float) -> bool:
    # NaN fails both comparisons.
    return 0 <= value < _LARGEST


def _or_none(value: float | None) -> float | None:
    return value if value is not None and _possible(value) else None
