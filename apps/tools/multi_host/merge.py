"""Merge the measurements of several hosts into the whole and its components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from apps.tools.messages import message
from apps.tools.multi_host import overlap
from apps.tools.multi_host.host_results import HostResult, OperationResult
from apps.tools.multi_host.operations import merge_operation
from apps.tools.parse_result import Completeness, Measurement, Parsed
from apps.tools.series import histograms
from apps.tools.translation import gettext_noop

# Secondary operations: a host without them is complete.
SECONDARY = frozenset({"sync"})


def labelled(parsed: Parsed, labels: Mapping[str, str]) -> Parsed:
    """Return one host's results with names of its targets instead of "target0", "target1" ..."""
    measurements = (
        replace(m, component=labels.get(m.component, m.component)) for m in parsed.measurements
    )
    return replace(parsed, measurements=tuple(measurements))


def merge(host_results: Sequence[HostResult]) -> Parsed:
    """Merge all hosts' results: the whole (component "") of each operation, then its components."""
    first = host_results[0].parsed
    wholes: list[Measurement] = []
    warnings = [f"{s.host}: {text}" for s in host_results for text in _remarks(s.parsed)]
    flaws: list[str] = []
    for operation in _operations(host_results):
        results = _pieces(host_results, operation)
        whole, remarks = merge_operation(operation, results)
        wholes.append(whole)
        warnings += remarks
        flaws += _flaws(host_results, whole, results)
    versions = list(dict.fromkeys(s.parsed.version for s in host_results if s.parsed.version))
    if len(versions) > 1:
        warnings.append(
            message("the hosts run different versions: %(names)s", names=", ".join(versions))
        )
    return Parsed(
        tool=first.tool,
        format=first.format,
        version=" / ".join(versions) or None,
        measurements=(
            *wholes,
            *(part for host_result in host_results for part in _parts(host_result)),
        ),
        warnings=(*flaws, *warnings),
        completeness="partial"
        if flaws
        else _completeness(s.parsed.completeness for s in host_results),
    )


def _remarks(parsed: Parsed) -> list[str]:
    """Return a host's remarks, with those about its results."""
    texts = [text for measurement in parsed.measurements for text in measurement.warnings]
    return list(dict.fromkeys([*parsed.warnings, *texts]))


def _flaws(
    host_results: Sequence[HostResult], whole: Measurement, results: Sequence[OperationResult]
) -> list[str]:
    """Return the reasons why the whole is not the simultaneous rate of all hosts.

    With such a reason it is partial and not compared.
    """
    lacking = {host_result.host for host_result in host_results} - {
        result.host_result.host for result in results
    }
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


def _operations(host_results: Sequence[HostResult]) -> list[str]:
    names = (m.operation for s in host_results for m in s.parsed.measurements if not m.component)
    return list(dict.fromkeys(names))


def _pieces(host_results: Sequence[HostResult], operation: str) -> list[OperationResult]:
    return [
        OperationResult(host_result, measurement)
        for host_result in host_results
        for measurement in host_result.parsed.measurements
        if measurement.operation == operation and not measurement.component
    ]


def _parts(host_result: HostResult) -> list[Measurement]:
    """Return the host's own rows: the whole host, and each of its targets."""
    return [
        replace(
            measurement,
            warnings=(),
            component=host_result.labels.get(
                measurement.component, f"{host_result.host} {measurement.component}".strip()
            ),
            series=tuple(overlap.moved(series, host_result.start) for series in measurement.series),
            over_time=histograms.moved(measurement.over_time, host_result.start),
        )
        for measurement in host_result.parsed.measurements
    ]


def _completeness(each: Iterable[Completeness]) -> Completeness:
    """Return the worst completeness."""
    states = set(each)
    if "partial" in states:
        return "partial"
    return "unknown" if "unknown" in states else "whole"
