"""Merge the measurements of several hosts into the whole and its components.

Bytes and operations are summed over the time in which all hosts ran, by the measured clock.
Histograms are added and percentiles taken from the sum; a mean is that of all operations. No
percentile and no rate is averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from apps.tools import histogram
from apps.tools.messages import message
from apps.tools.multi_host import overlap
from apps.tools.multi_host.host_results import HostResult, OperationResult
from apps.tools.parse_result import Completeness, Histogram, Latency, Measurement, Parsed, Series
from apps.tools.series import histograms
from apps.tools.series.stalls import LARGEST_OF
from apps.tools.values import Values
from apps.tools.words import gettext_noop

# Totals that are summed over hosts; all other values stay with their host.
ADDED = ("total_ios", "io_bytes", "errors", "retransmits")
# Facts about the common target, reported by one of the hosts.
SHARED = ("ceph",)
# Facts of one host about all targets: they also apply to the whole.
COMMON_FACTS = ("ceph", LARGEST_OF)
RATES = ("bandwidth", "iops")
# Secondary operations: a host without them is complete.
SECONDARY = frozenset({"sync"})
# Below this share of common time there is a warning, unless a plugin provides series.
MIN_OVERLAP = 0.95


def labelled(parsed: Parsed, labels: Mapping[str, str]) -> Parsed:
    """Return one host's results with names of its targets instead of "target0", "target1" ..."""
    found = (replace(m, part=labels.get(m.part, m.part)) for m in parsed.measurements)
    return replace(parsed, measurements=tuple(found))


def merge(shares: Sequence[HostResult]) -> Parsed:
    """Merge all hosts' results: the whole (part "") of each operation, then its components."""
    first = shares[0].parsed
    wholes: list[Measurement] = []
    warnings = [f"{s.host}: {text}" for s in shares for text in _remarks(s.parsed)]
    flaws: list[str] = []
    for operation in _operations(shares):
        pieces = _pieces(shares, operation)
        whole, remarks = _whole(operation, pieces)
        wholes.append(whole)
        warnings += remarks
        flaws += _flaws(shares, whole, pieces)
    versions = list(dict.fromkeys(s.parsed.version for s in shares if s.parsed.version))
    if len(versions) > 1:
        warnings.append(
            message("the hosts run different versions: %(names)s", names=", ".join(versions))
        )
    return Parsed(
        tool=first.tool,
        format=first.format,
        version=" / ".join(versions) or None,
        measurements=(*wholes, *(part for share in shares for part in _parts(share))),
        warnings=(*flaws, *warnings),
        completeness="partial" if flaws else _completeness(s.parsed.completeness for s in shares),
    )


def _remarks(parsed: Parsed) -> list[str]:
    """Return a host's remarks, with those about its results."""
    own = [text for found in parsed.measurements for text in found.warnings]
    return list(dict.fromkeys([*parsed.warnings, *own]))


def _flaws(
    shares: Sequence[HostResult], whole: Measurement, pieces: Sequence[OperationResult]
) -> list[str]:
    """Return the reasons why the whole is not the simultaneous rate of all hosts.

    With such a reason it is partial and not compared.
    """
    lacking = {share.host for share in shares} - {piece.share.host for piece in pieces}
    flaws: list[str] = [
        message("%(host)s has no figures for %(operation)s", host=host, operation=whole.operation)
        for host in sorted(lacking)
    ]
    if whole.operation in SECONDARY:
        flaws = []
    if whole.values["overlap"] == 0:
        template = gettext_noop(
            "%(operation)s: the hosts never ran at the same time, so there is no sum"
        )
        flaws.append(message(template, operation=whole.operation))
    return flaws


def _operations(shares: Sequence[HostResult]) -> list[str]:
    names = (m.operation for s in shares for m in s.parsed.measurements if not m.part)
    return list(dict.fromkeys(names))


def _pieces(shares: Sequence[HostResult], operation: str) -> list[OperationResult]:
    return [
        OperationResult(share, found)
        for share in shares
        for found in share.parsed.measurements
        if found.operation == operation and not found.part
    ]


def _parts(share: HostResult) -> list[Measurement]:
    """Return the host's own rows: the whole host, and each of its targets."""
    return [
        replace(
            found,
            warnings=(),
            part=share.labels.get(found.part, f"{share.host} {found.part}".strip()),
            series=tuple(overlap.moved(series, share.start) for series in found.series),
            over_time=histograms.moved(found.over_time, share.start),
        )
        for found in share.parsed.measurements
    ]


def _whole(operation: str, pieces: Sequence[OperationResult]) -> tuple[Measurement, list[str]]:
    begin, end, overlap_share = _common(pieces)
    rates = {metric: _rate(metric, pieces, begin, end) for metric in RATES if overlap_share}
    merged = histogram.merge(piece.found.histogram for piece in pieces)
    whole = Measurement(
        operation=operation,
        bandwidth=rates["bandwidth"][0] if overlap_share else None,
        iops=rates["iops"][0] if overlap_share else None,
        latency=_latency(pieces, merged),
        params=pieces[0].found.params,
        values=_values(pieces, max(0.0, end - begin), overlap_share),
        series=tuple(_series(pieces)),
        histogram=merged,
        over_time=histograms.added(
            [histograms.moved(one.found.over_time, one.share.start) for one in pieces]
        ),
    )
    guessed = overlap_share < MIN_OVERLAP and not all(measured for _, measured in rates.values())
    if not guessed:
        return whole, []
    return whole, [
        message(
            "%(operation)s: the hosts ran together for only %(share)s of the time, and nothing "
            "says what each did in it; the sum of their averages is more than they reached at once",
            operation=operation,
            share=f"{overlap_share:.0%}",
        )
    ]


def _common(pieces: Sequence[OperationResult]) -> tuple[float, float, float]:
    """Return start and end of the time in which all ran, and its share of the longest run."""
    lengths = [piece.seconds for piece in pieces]
    if any(length is None for length in lengths):
        return 0.0, 0.0, 1.0
    spans = [(p.share.start, p.share.start + (p.seconds or 0.0)) for p in pieces]
    begin, end = max(span[0] for span in spans), min(span[1] for span in spans)
    longest = max(last - first for first, last in spans)
    return begin, end, max(0.0, end - begin) / longest if longest else 1.0


def _rate(
    metric: str, pieces: Sequence[OperationResult], begin: float, end: float
) -> tuple[float | None, bool]:
    """Return the summed rate while all ran, per second, and True if it is measured by series.

    A host's exact total is split by its series. If all of it is in the common time, the result
    equals its own average exactly, independent of the series' interval.
    """
    averages = [piece.rate(metric) for piece in pieces]
    known = [average for average in averages if average is not None]
    if len(known) < len(pieces):
        return None, True
    shares = [piece.part_between(metric, begin, end) for piece in pieces]
    if end <= begin or any(each is None for each in shares):
        return sum(known), False
    total = sum(
        average * (piece.seconds or 0.0) * (part or 0.0)
        for average, piece, part in zip(known, pieces, shares, strict=True)
    )
    return total / (end - begin), True


def _latency(pieces: Sequence[OperationResult], merged: Histogram | None) -> Latency:
    """Return the limits over all hosts, the mean of all operations, and percentiles of the sum."""
    latencies = [piece.found.latency for piece in pieces]
    mean, stddev = _moments(pieces)
    names = {name for latency in latencies for name in latency.percentiles}
    return Latency(
        min=_extreme(min, [latency.min for latency in latencies]),
        mean=mean,
        max=_extreme(max, [latency.max for latency in latencies]),
        stddev=stddev,
        percentiles=histogram.percentiles(merged, names) if merged and names else {},
    )


def _moments(pieces: Sequence[OperationResult]) -> tuple[float | None, float | None]:
    """Return mean and standard deviation of all operations; None unless every host has its own."""
    rows = [(piece.operations, piece.found.latency) for piece in pieces]
    if any(not count or latency.mean is None for count, latency in rows):
        return None, None
    total = sum(count or 0.0 for count, _ in rows)
    mean = sum((count or 0.0) * (latency.mean or 0.0) for count, latency in rows) / total
    if any(latency.stddev is None for _, latency in rows):
        return mean, None
    square = sum(
        (count or 0.0) * ((latency.stddev or 0.0) ** 2 + ((latency.mean or 0.0) - mean) ** 2)
        for count, latency in rows
    )
    return mean, (square / total) ** 0.5


def _extreme(
    choose: Callable[[Iterable[float]], float], values: Sequence[float | None]
) -> float | None:
    known = [value for value in values if value is not None]
    return choose(known) if len(known) == len(values) else None


def _values(pieces: Sequence[OperationResult], seconds: float, overlap_share: float) -> Values:
    """Return summed totals, and the values of each host."""
    values: Values = {"common_seconds": seconds, "overlap": overlap_share}
    lengths = [piece.seconds for piece in pieces]
    if all(length is not None for length in lengths):
        ends = [p.share.start + (p.seconds or 0.0) for p in pieces]
        values["runtime"] = max(ends) - min(piece.share.start for piece in pieces)
    for name in ADDED:
        entries = [piece.found.values.get(name) for piece in pieces]
        numbers = [each for each in entries if isinstance(each, (int, float))]
        if len(numbers) == len(entries):
            values[name] = sum(numbers)
    values |= {n: p.found.values[n] for p in pieces for n in COMMON_FACTS if n in p.found.values}
    kinds = {str(piece.found.values.get("percentiles_of", "")) for piece in pieces}
    if len(kinds) == 1 and kinds != {""}:
        values["percentiles_of"] = kinds.pop()
    for name in SHARED:
        facts = [piece.found.values[name] for piece in pieces if name in piece.found.values]
        values |= {name: facts[0]} if facts else {}
    values["hosts"] = [_host(piece) for piece in pieces]
    return values


def _host(piece: OperationResult) -> Values:
    found = piece.found
    return {
        "name": piece.share.host,
        "start": piece.share.start,
        "runtime": piece.seconds,
        "bandwidth": found.bandwidth,
        "iops": found.iops,
    }


def _series(pieces: Sequence[OperationResult]) -> list[Series]:
    """Return sums over time of additive metrics; percentiles over time stay with their hosts."""
    summed: dict[str, Series] = {}
    for metric in RATES:
        rows = [piece.series(metric) for piece in pieces]
        known = [row for row in rows if row is not None]
        if len(known) == len(rows):
            summed[metric] = overlap.rates_added(known)
    longest = [row for piece in pieces if (row := piece.series("latency_max")) is not None]
    if len(longest) == len(pieces):
        summed["latency_max"] = overlap.largest(longest)
    means = [piece.series("latency_mean") for piece in pieces]
    rates = [piece.series("iops") for piece in pieces]
    if all(means) and all(rates):
        pooled = overlap.means_pooled([m for m in means if m], [r for r in rates if r])
        if pooled is not None:
            summed["latency_mean"] = pooled
    return list(summed.values())


def _completeness(each: Iterable[Completeness]) -> Completeness:
    """Return the worst completeness."""
    states = set(each)
    if "partial" in states:
        return "partial"
    return "unknown" if "unknown" in states else "whole"
