"""Advice from one curve: knee of a load, cache effects of an address space, best block size.

Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.analysis.sweep.knees import MAX_SPREAD, MIN_REPEATS, Knee
from apps.common.domain.units import nanoseconds, share
from apps.common.domain.value_format import format_difference, format_metric
from apps.plans.domain.param_text import inside

LARGE_BLOCK_BYTES = 64 * 1024
"""Bytes per operation from which bandwidth matters rather than IOPS."""
MIN_CACHE_GAIN = 1.05
"""Ratio from which a smaller address space measures something else than the whole."""


@dataclass(frozen=True)
class Axis:
    """X axis: label and formatter of values. `network`: rates are network rates."""

    label: str
    words: Callable[[float], str]
    network: bool = False

    def at(self, point: CurvePoint) -> str:
        """Return a point's position for a sentence: "queue depth 16"."""
        return f"{inside(self.label)} {self.words(point.x)}"

    def rate(self, point: CurvePoint, metric: str) -> str:
        """Return a point's median rate with its unit."""
        value = point.median(metric) or 0.0
        return format_metric(metric, value, network=self.network)


def advice_of(curve: Curve, subject: str, axis: Axis) -> str:
    """Return one sentence about a curve; empty without a rate. `subject`: workload and target."""
    if curve.peak is None:
        return ""
    if curve.is_load:
        return _load_advice(curve, curve.peak, subject, axis)
    if curve.role == "size" and len(curve.points) > 1:
        return _size_advice(curve, subject, axis)
    if curve.role == "block" and len(curve.points) > 1:
        return _block_advice(curve, subject, axis)
    return _peak_advice(curve, curve.peak, subject, axis)


def _peak_advice(curve: Curve, peak: CurvePoint, subject: str, axis: Axis) -> str:
    text = _("{subject}: the highest median is {figures}, at {at}.")
    return text.format(subject=subject, figures=_rate_text(curve, peak, axis), at=axis.at(peak))


def _rate_text(curve: Curve, point: CurvePoint, axis: Axis) -> str:
    rate, latency = axis.rate(point, curve.throughput), point.median("latency_mean")
    if latency is None:
        return rate
    return _("{rate} at {latency}").format(rate=rate, latency=nanoseconds(latency))


def _load_advice(curve: Curve, peak: CurvePoint, subject: str, axis: Axis) -> str:
    knee = curve.knee
    if knee is None:
        if len(curve.points) > 1 and peak is curve.points[-1]:
            text = _(
                "{subject}: the highest median is {figures}, at {at}. Larger values were not "
                "measured and may be faster."
            )
            return text.format(
                subject=subject, figures=_rate_text(curve, peak, axis), at=axis.at(peak)
            )
        return _peak_advice(curve, peak, subject, axis)
    if not knee.is_settled:
        text = _("{subject}: knee not settled ({why}); the highest median is {figures}, at {at}.")
        return text.format(
            subject=subject,
            why=_unsettled_reason(knee),
            figures=_rate_text(curve, peak, axis),
            at=axis.at(peak),
        )
    point = curve.at(knee.x) or peak
    values = {"subject": subject, "at": axis.at(point), "figures": _rate_text(curve, point, axis)}
    if knee.low == knee.high:
        return _("{subject}: knee at {at}, {figures}.").format(**values)
    text = _("{subject}: knee at {at} ({low} to {high} possible), {figures}.")
    return text.format(low=axis.words(knee.low), high=axis.words(knee.high), **values)


def _unsettled_reason(knee: Knee) -> str:
    """Return why repeats do not settle a knee."""
    if knee.repeats < MIN_REPEATS:
        one, many = "{n} repeat, {needed} are needed", "{n} repeats, {needed} are needed"
        return ngettext(one, many, knee.repeats).format(n=knee.repeats, needed=MIN_REPEATS)
    text = _("spread {spread}, more than {limit}")
    return text.format(spread=share(knee.spread), limit=share(MAX_SPREAD))


def _size_advice(curve: Curve, subject: str, axis: Axis) -> str:
    """Return the largest address space against the fastest of the smaller ones."""
    metric = _target_rate(curve)
    *smaller, whole = [point for point in curve.points if point.median(metric)]
    if not smaller:
        return _peak_advice(curve, whole, subject, axis)
    fastest = max(smaller, key=lambda point: point.median(metric) or 0.0)
    ratio = (fastest.median(metric) or 0.0) / (whole.median(metric) or 1.0)
    values = {
        "subject": subject, "whole": axis.words(whole.x), "small": axis.words(fastest.x),
        "rate": axis.rate(whole, metric), "more": axis.rate(fastest, metric),
        "change": format_difference(ratio),
    }  # fmt: skip
    is_separate = min(fastest.values[metric]) > max(whole.values[metric])
    if ratio < MIN_CACHE_GAIN or not is_separate:
        return _("{subject}: {whole} does {rate}, {small} does {more} ({change}).").format(**values)
    text = _(
        "{subject}: {whole} does {rate}, {small} does {more} ({change}): a smaller space measures "
        "the cache or short seeks."
    )
    return text.format(**values)


def _target_rate(curve: Curve) -> str:
    """Return IOPS for small operations, bandwidth for large ones or without IOPS."""
    for point in curve.points:
        iops, bandwidth = point.median("iops"), point.median("bandwidth")
        if iops and (bandwidth is None or bandwidth / iops < LARGE_BLOCK_BYTES):
            return "iops"
    return curve.throughput


def _block_advice(curve: Curve, subject: str, axis: Axis) -> str:
    """Return the sizes with the highest IOPS and bandwidth."""
    peaks = []
    for metric, text in (
        ("iops", _("IOPS at {at} ({figures})")),
        ("bandwidth", _("bandwidth at {at} ({figures})")),
    ):
        measured = [point for point in curve.points if point.median(metric)]
        if measured:
            peak = max(measured, key=lambda point: point.median(metric) or 0.0)
            peaks.append(text.format(at=axis.words(peak.x), figures=axis.rate(peak, metric)))
    return _("{subject}: highest {peaks}.").format(subject=subject, peaks=", ".join(peaks))
