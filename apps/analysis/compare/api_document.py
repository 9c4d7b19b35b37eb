"""API document of a comparison: plain dictionaries, as there may be thousands of rows.

The shape is that of the serializers of `apps.analysis.api.comparisons`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apps.analysis.repeats.repeats import as_list
from apps.analysis.verdicts.changes import Change
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.detectable import ExtraRepeat, detectable_effect, extra_repeat_of
from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison, fill_entries
from apps.analysis.verdicts.expectations import level_expectations
from apps.analysis.verdicts.headlines import HeadlineLine, Summary, headlines, summaries
from apps.analysis.verdicts.request_sizes import SizesByLevel, request_sizes
from apps.analysis.verdicts.variation_text import varies
from apps.analysis.verdicts.verdict_text import VerdictText
from apps.results.api.expectations import expectation_document
from apps.results.selectors.expectations import KnownExpectations, known_of

Document = dict[str, Any]


def comparison_document(comparison: ComparisonResult) -> Document:
    """Return a comparison with every verdict."""
    fill_entries(comparison.results)
    extra, minimum = extra_repeat_of(comparison.repeats), comparison.query.minimum / 100
    expectations = known_of([run.pk for run in comparison.runs])
    left_out, texts = comparison.left_out, VerdictText()
    sizes = request_sizes(comparison.results)
    return {
        "query": comparison.query.urlencode(),
        "runs": [run.pk for run in comparison.runs],
        "factor": comparison.query.factor,
        "levels": list(comparison.levels),
        "baseline": comparison.baseline,
        "tested": list(comparison.tested),
        "family": comparison.family,
        "results_used": comparison.used,
        "excluded_results": dict(left_out.results),
        "cases_without_result": dict(left_out.cases),
        "headline": [_headline(line) for line in headlines(comparison)],
        "summary": [_summary(line) for line in summaries(comparison)],
        "workloads": [
            _workload(
                result,
                expectations,
                list(_detectable_effects(result, extra, minimum)),
                comparison,
                texts,
            )
            | {"request_sizes": list(_request_sizes(result, sizes))}
            for result in comparison.results
        ],
    }


def _headline(line: HeadlineLine) -> Document:
    return {
        "verdict": line.kind or "", "text": line.text,
        "workloads": [_summary(one) for one in line.named], "more": line.more,
    }  # fmt: skip


def _effect(change: Change) -> Document:
    effect = change.effect
    return {
        "ratio": change.medians, "typical": effect.ratio, "low": effect.low, "high": effect.high
    }  # fmt: skip


def _summary(line: Summary) -> Document:
    return {
        "name": line.label, "where": line.where, "level": line.level, "metric": line.metric,
        "baseline_n": line.n[0], "n": line.n[1], "effect": _effect(line.change),
        "verdict": line.kind, "text": line.text, "baseline_blocks": line.blocks[0],
        "blocks": line.blocks[1], "test": line.test, "confidence": line.confidence,
        "needed": line.needed,
    }  # fmt: skip


def _workload(
    result: ComparedResult,
    expectations: KnownExpectations,
    could: list[Document],
    comparison: ComparisonResult,
    texts: VerdictText,
) -> Document:
    group = result.group
    return {
        "workload": group.workload,
        "name": group.label,
        "operation": group.operation,
        "where": group.where,
        "main_metric": result.main,
        "confounders": list(_confounders(result)),
        "detectable_effects": could,
        "spreads": list(_spreads(result, comparison.baseline)),
        "within_tests": list(_within_tests(result, comparison)),
        "drifts": list(result.drifts),
        "cells": [_cell(entry, texts) for entry in result.entries],
        "expectations": list(_expectations(result, expectations)),
    }


def _confounders(result: ComparedResult) -> Iterator[Document]:
    for pair in result.pairs:
        for one in pair.differing:
            yield {
                "level": pair.level, "name": one.name, "baseline_has": one.a, "level_has": one.b
            }  # fmt: skip


def _expectations(result: ComparedResult, expectations: KnownExpectations) -> Iterator[Document]:
    """Yield expectation results with operation and level, which the comparison does not store."""
    operation = result.group.operation
    for level, many in level_expectations(expectations, result.repeats, result.group).items():
        for one in many:
            yield {**expectation_document(one), "operation": operation, "level": level}


def _detectable_effects(
    result: ComparedResult, extra: ExtraRepeat, minimum: float
) -> Iterator[Document]:
    for number, pair in enumerate(result.pairs):
        one = detectable_effect(result, number, extra, minimum)
        if one is not None:
            yield {
                "level": pair.level, "smallest": one.smallest, "requested": one.requested,
                "extra_repeats": one.extra_repeats, "seconds": one.seconds,
            }  # fmt: skip


def _spreads(result: ComparedResult, baseline: str) -> Iterator[Document]:
    for number, pair in enumerate(result.pairs):
        matches = zip(result.spreads[number].items(), varies(result, number, baseline), strict=True)
        for (metric, one), text in matches:
            yield {
                "level": pair.level, "metric": metric, "ratio": one.ratio, "low": one.low,
                "high": one.high, "p": one.p, "p_corrected": one.p_corrected,
                "text": text,
            }  # fmt: skip


def _within_tests(result: ComparedResult, comparison: ComparisonResult) -> Iterator[Document]:
    for pair in result.pairs:
        note = comparison.within_tests.get((result.group.slug, pair.level))
        if note is not None:
            yield {
                "level": pair.level, "baseline_stalled": note.baseline.stalled,
                "baseline_seconds": note.baseline.seconds, "stalled": note.own.stalled,
                "seconds": note.own.seconds, "text": " ".join(note.sentences),
                "deviation": note.spread.deviation if note.spread else None,
                "error": note.spread.error if note.spread else None,
            }  # fmt: skip


def _request_sizes(result: ComparedResult, sizes: SizesByLevel) -> Iterator[Document]:
    for pair in result.pairs:
        size = sizes.get((result.group.slug, pair.level))
        if size is not None:
            yield {"level": pair.level, "baseline": size.baseline, "value": size.own}


def _cell(entry: MetricComparison, texts: VerdictText) -> Document:
    return {
        "metric": entry.metric,
        "level": entry.level,
        "baseline_values": as_list(entry.a),
        "values": as_list(entry.b),
        "effect": _effect(entry.change),
        "p": entry.p,
        "p_corrected": entry.p_corrected,
        "verdict": entry.kind,
        "text": texts.sentence(entry.verdict, entry.change),
    }
