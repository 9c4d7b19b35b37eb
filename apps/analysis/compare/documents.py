"""The comparison as the API answers it. The serializers of `apps.analysis.compare.api` describe the
same shapes for people; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from apps.analysis.compare.changes import Change
from apps.analysis.compare.comparison import Comparison
from apps.analysis.compare.matching.repeats import listed
from apps.analysis.compare.summary import HeadlineLine, Summary, headlines, summaries
from apps.analysis.compare.varies import varies
from apps.analysis.compare.verdicts.could import could_have, pace_of
from apps.analysis.compare.verdicts.expected import sides_held
from apps.analysis.compare.verdicts.judge import ComparedResult, Entry, MetricLine, fill
from apps.analysis.compare.words import kind_of, sentence
from apps.results.expectations.api import HeldDocument, held_document
from apps.results.expectations.judging import KnownExpectations, known_of


class EffectDocument(TypedDict):
    ratio: float | None
    typical: float | None
    low: float | None
    high: float | None


class CellDocument(TypedDict):
    metric: str
    level: str
    baseline_values: list[float | None]
    values: list[float | None]
    effect: EffectDocument
    p: float | None
    p_corrected: float | None
    verdict: str
    sentence: str


class DifferenceDocument(TypedDict):
    level: str
    name: str
    baseline_has: str
    level_has: str


class LevelExpectationDocument(HeldDocument):
    level: str


class CouldDocument(TypedDict):
    level: str
    least: float | None
    wanted: float
    more_repeats: int | None
    seconds: float | None


class SpreadDocument(TypedDict):
    level: str
    metric: str
    ratio: float
    low: float | None
    high: float | None
    p: float
    p_corrected: float
    sentence: str


class WorkloadDocument(TypedDict):
    workload: str
    name: str
    operation: str
    where: str
    main: str
    differing_factors: list[DifferenceDocument]
    could_have_shown: list[CouldDocument]
    spreads: list[SpreadDocument]
    drifts: list[str]
    cells: list[CellDocument]
    expectations: list[LevelExpectationDocument]


class SummaryDocument(TypedDict):
    name: str
    where: str
    level: str
    metric: str
    baseline_n: int
    n: int
    effect: EffectDocument
    verdict: str
    sentence: str


class HeadlineDocument(TypedDict):
    verdict: str
    sentence: str
    workloads: list[SummaryDocument]
    more: int


class ComparisonDocument(TypedDict):
    query: str
    runs: list[int]
    factor: str
    levels: list[str]
    baseline: str
    tested: list[str]
    family: int
    results_used: int
    results_left_out: dict[str, int]
    cases_without_result: dict[str, int]
    headline: list[HeadlineDocument]
    summary: list[SummaryDocument]
    workloads: list[WorkloadDocument]


def comparison_document(comparison: Comparison) -> ComparisonDocument:
    """A comparison with every verdict, level by level."""
    fill(comparison.results)
    pace, minimum = pace_of(comparison.repeats), comparison.question.minimum / 100
    known = known_of([run.pk for run in comparison.runs])
    left_out = comparison.left_out
    return {
        "query": comparison.question.query(),
        "runs": [run.pk for run in comparison.runs],
        "factor": comparison.question.factor,
        "levels": list(comparison.levels),
        "baseline": comparison.baseline,
        "tested": list(comparison.tested),
        "family": comparison.family,
        "results_used": comparison.used,
        "results_left_out": dict(left_out.results),
        "cases_without_result": dict(left_out.cases),
        "headline": [_headline(line) for line in headlines(comparison)],
        "summary": [_summary(line) for line in summaries(comparison)],
        "workloads": [
            _workload(result, known, list(_could(result, pace, minimum)), comparison.baseline)
            for result in comparison.results
        ],
    }


def _headline(line: HeadlineLine) -> HeadlineDocument:
    return {
        "verdict": line.kind or "", "sentence": line.text,
        "workloads": [_summary(one) for one in line.named], "more": line.more,
    }  # fmt: skip


def _effect(change: Change) -> EffectDocument:
    effect = change.effect
    return {
        "ratio": change.medians, "typical": effect.ratio, "low": effect.low, "high": effect.high
    }  # fmt: skip


def _summary(line: Summary) -> SummaryDocument:
    return {
        "name": line.label, "where": line.where, "level": line.level, "metric": line.metric,
        "baseline_n": line.n[0], "n": line.n[1], "effect": _effect(line.change),
        "verdict": line.kind, "sentence": line.text,
    }  # fmt: skip


def _workload(
    result: ComparedResult, known: KnownExpectations, could: list[CouldDocument], baseline: str
) -> WorkloadDocument:
    group = result.group
    return {
        "workload": group.workload,
        "name": group.label,
        "operation": group.operation,
        "where": group.where,
        "main": result.main,
        "differing_factors": list(_differing(result)),
        "could_have_shown": could,
        "spreads": list(_spreads(result, baseline)),
        "drifts": list(result.drifts),
        "cells": [_cell(line, entry) for line in result.lines for entry in line.entries],
        "expectations": list(_expected(result, known)),
    }


def _differing(result: ComparedResult) -> Iterator[DifferenceDocument]:
    for pair in result.pairs:
        for one in pair.differing:
            yield {
                "level": pair.level, "name": one.name, "baseline_has": one.a, "level_has": one.b
            }  # fmt: skip


def _expected(
    result: ComparedResult, known: KnownExpectations
) -> Iterator[LevelExpectationDocument]:
    """A comparison's expectations have no side of their own: operation and level are the row's."""
    operation = result.group.operation
    for level, many in sides_held(known, result.repeats, result.group).items():
        for held in many:
            yield {**held_document(held), "operation": operation, "level": level}


def _could(result: ComparedResult, pace: float | None, minimum: float) -> Iterator[CouldDocument]:
    for number, pair in enumerate(result.pairs):
        one = could_have(result, number, pace, minimum)
        if one is not None:
            yield {
                "level": pair.level, "least": one.least, "wanted": one.wanted,
                "more_repeats": one.more, "seconds": one.seconds,
            }  # fmt: skip


def _spreads(result: ComparedResult, baseline: str) -> Iterator[SpreadDocument]:
    for number, pair in enumerate(result.pairs):
        found = zip(result.spreads[number].items(), varies(result, number, baseline), strict=True)
        for (metric, one), sentence_of_it in found:
            yield {
                "level": pair.level, "metric": metric, "ratio": one.ratio, "low": one.low,
                "high": one.high, "p": one.p, "p_corrected": one.p_corrected,
                "sentence": sentence_of_it,
            }  # fmt: skip


def _cell(line: MetricLine, entry: Entry) -> CellDocument:
    verdict = entry.verdict
    return {
        "metric": line.metric,
        "level": entry.level,
        "baseline_values": listed(entry.a),
        "values": listed(entry.b),
        "effect": _effect(entry.change),
        "p": verdict.p if verdict else None,
        "p_corrected": verdict.p_adjusted if verdict else None,
        "verdict": kind_of(verdict),
        "sentence": sentence(verdict, entry.change),
    }
