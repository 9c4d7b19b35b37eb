"""Measurements of several hosts together -> the whole, and each host's share of it.

Bytes and operations are summed over the time in which all hosts ran, by the measured clock;
histograms are added and percentiles taken from the sum; a mean is that of all operations. No
percentile and no rate is ever averaged.
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

# Totals that simply add up over hosts; everything else stays with its host.
ADDED = ("total_ios", "io_bytes", "errors", "retransmits")
# Facts about what all hosts worked on, told by whichever was asked.
SHARED = ("ceph",)
# What one host says of all that was under test: it holds for the whole as well.
ABOUT_ALL = ("ceph", LARGEST_OF)
RATES = ("bandwidth", "iops")
# What happens beside the operations asked for: a host that had none of it lacks nothing.
BESIDE = frozenset({"sync"})
# Hosts that ran together for less than this share of their time are warned about where a plugin
# gives no series that says what happened when.
ENOUGH = 0.95


def labelled(parsed: Parsed, labels: Mapping[str, str]) -> Parsed:
    """One host's results with its targets' names instead of "target0", "target1" ..."""
    found = (replace(m, part=labels.get(m.part, m.part)) for m in parsed.measurements)
    return replace(parsed, measurements=tuple(found))


def merge(shares: Sequence[HostResult]) -> Parsed:
    """All hosts' results as one: the whole (part "") of each operation, then its parts."""
    first = shares[0].parsed
    found: list[Measurement] = []
    warnings = [f"{s.host}: {text}" for s in shares for text in _remarks(s.parsed)]
    flaws: list[str] = []
    for operation in _operations(shares):
        pieces = _pieces(shares, operation)
        whole, said = _whole(operation, pieces)
        found.append(whole)
        warnings += said
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
        measurements=(*found, *(part for share in shares for part in _parts(share))),
        warnings=(*flaws, *warnings),
        completeness="partial" if flaws else _completeness(s.parsed.completeness for s in shares),
    )


def _remarks(parsed: Parsed) -> list[str]:
    """A host's remarks, those about one of its results included."""
    own = [text for found in parsed.measurements for text in found.warnings]
    return list(dict.fromkeys([*parsed.warnings, *own]))


def _flaws(
    shares: Sequence[HostResult], whole: Measurement, pieces: Sequence[OperationResult]
) -> list[str]:
    """Why the whole is not what all hosts reached together: it must not be compared."""
    lacking = {share.host for share in shares} - {piece.share.host for piece in pieces}
    said: list[str] = [
        message("%(host)s has no figures for %(operation)s", host=host, operation=whole.operation)
        for host in sorted(lacking)
    ]
    if whole.operation in BESIDE:
        said = []
    if whole.values["overlap"] == 0:
        words = gettext_noop(
            "%(operation)s: the hosts never ran at the same time, so there is no sum"
        )
        said.append(message(words, operation=whole.operation))
    return said


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
    """The host's own rows: the host as a whole, and each of several targets of it."""
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
    begin, end, lap = _common(pieces)
    rates = {metric: _rate(metric, pieces, begin, end) for metric in RATES if lap}
    together = histogram.merge(piece.found.histogram for piece in pieces)
    whole = Measurement(
        operation=operation,
        bandwidth=rates["bandwidth"][0] if lap else None,
        iops=rates["iops"][0] if lap else None,
        latency=_latency(pieces, together),
        params=pieces[0].found.params,
        values=_values(pieces, max(0.0, end - begin), lap),
        series=tuple(_series(pieces)),
        histogram=together,
        over_time=histograms.added(
            [histograms.moved(one.found.over_time, one.share.start) for one in pieces]
        ),
    )
    guessed = lap < ENOUGH and not all(measured for _, measured in rates.values())
    if not guessed:
        return whole, []
    return whole, [
        message(
            "%(operation)s: the hosts ran together for only %(share)s of the time, and nothing "
            "says what each did in it; the sum of their averages is more than they reached at once",
            operation=operation,
            share=f"{lap:.0%}",
        )
    ]


def _common(pieces: Sequence[OperationResult]) -> tuple[float, float, float]:
    """Begin and end of the time in which all ran, and its share of the longest run."""
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
    """The sum of what all did while all ran, per second, and whether series said what that was.

    A host's exact total is split by its series: with all of it in the common time the result is
    its own average to the last digit, however coarse the series.
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


def _latency(pieces: Sequence[OperationResult], together: Histogram | None) -> Latency:
    """Limits of limits, the mean of all operations, percentiles of the added histogram."""
    latencies = [piece.found.latency for piece in pieces]
    mean, stddev = _moments(pieces)
    names = {name for latency in latencies for name in latency.percentiles}
    return Latency(
        min=_extreme(min, [latency.min for latency in latencies]),
        mean=mean,
        max=_extreme(max, [latency.max for latency in latencies]),
        stddev=stddev,
        percentiles=histogram.percentiles(together, names) if together and names else {},
    )


def _moments(pieces: Sequence[OperationResult]) -> tuple[float | None, float | None]:
    """Mean and deviation of all operations of all hosts; None unless every host tells its own."""
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


def _values(pieces: Sequence[OperationResult], seconds: float, lap: float) -> Values:
    """Totals added, and what each host did."""
    values: Values = {"common_seconds": seconds, "overlap": lap}
    lengths = [piece.seconds for piece in pieces]
    if all(length is not None for length in lengths):
        ends = [p.share.start + (p.seconds or 0.0) for p in pieces]
        values["runtime"] = max(ends) - min(piece.share.start for piece in pieces)
    for name in ADDED:
        said = [piece.found.values.get(name) for piece in pieces]
        numbers = [each for each in said if isinstance(each, (int, float))]
        if len(numbers) == len(said):
            values[name] = sum(numbers)
    values |= {n: p.found.values[n] for p in pieces for n in ABOUT_ALL if n in p.found.values}
    kinds = {str(piece.found.values.get("percentiles_of", "")) for piece in pieces}
    if len(kinds) == 1 and kinds != {""}:
        values["percentiles_of"] = kinds.pop()
    for name in SHARED:
        told = [piece.found.values[name] for piece in pieces if name in piece.found.values]
        values |= {name: told[0]} if told else {}
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
    """Sums over time of what adds up; percentiles over time do not and stay with their hosts."""
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
    """As bad as the worst."""
    said = set(each)
    if "partial" in said:
        return "partial"
    return "unknown" if "unknown" in said else "whole"
