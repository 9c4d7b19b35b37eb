"""Tests of a run without a valid result: failed, lost, cancelled or invalid."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.gate.query import Against, GateQuery
from apps.analysis.repeats.target_names import target_names
from apps.common.domain.messages import localize_message
from apps.plans.domain.param_text import value_text
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import ResultSummary
from apps.runs.models import Case, CaseState, Purpose, RunTuning

TestKey = tuple[int, int, int]
"""(workload, run target, run tuning)."""
_COLUMNS = "workload_id", "run_target_id", "run_tuning_id"


@dataclass(frozen=True)
class LostTest:
    """Test of which some or all repeats have no valid result; `text`: how many, and why."""

    key: TestKey
    label: str
    target: str
    tuning: str
    text: str


@dataclass(frozen=True)
class LostTests:
    """Lost tests by key; `keys`: of each valid measurement, empty without lost tests."""

    tests: Mapping[TestKey, LostTest]
    keys: Mapping[int, TestKey]


def lost_tests(query: GateQuery) -> LostTests:
    """Return the tests of the gated run without all of their results."""
    reasons = _reasons(query.run)
    if not reasons:
        return LostTests({}, {})
    workloads = Workload.objects.in_bulk({key[0] for key in reasons})
    labels, targets = workload_names(workloads.values()), target_names({key[1] for key in reasons})
    tunings = RunTuning.objects.in_bulk({key[2] for key in reasons})
    totals = _totals(query.run)
    tests = {
        key: LostTest(
            key, labels[key[0]], targets[key[1]].name, tunings[key[2]].name,
            _text(counts, totals[key]),
        )
        for key, counts in reasons.items()
        if not _is_of_baseline(query, workloads[key[0]], tunings[key[2]])
    }  # fmt: skip
    valid = ResultSummary.objects.filter(run=query.run, is_comparable=True).order_by()
    keys = {pk: tuple(key) for pk, *key in valid.values_list("pk", *_COLUMNS)}
    return LostTests(tests, keys)


def _reasons(run: int) -> dict[TestKey, Counter[str]]:
    """Return the number of repeats without a valid result by reason."""
    result: dict[TestKey, Counter[str]] = defaultdict(Counter)
    cases = Case.objects.filter(run=run, purpose=Purpose.MEASURE).order_by()
    ended = cases.exclude(state__in=[CaseState.SUCCEEDED, CaseState.SKIPPED])
    for *key, state in ended.values_list(*_COLUMNS, "state"):
        result[tuple(key)][str(CaseState(state).label)] += 1
    valid = ResultSummary.objects.filter(run=run, is_comparable=True).values("case")
    invalid = cases.filter(state=CaseState.SUCCEEDED).exclude(pk__in=valid)
    rows = ResultSummary.objects.filter(run=run, is_comparable=False).order_by("pk")
    texts = dict(rows.values_list("case", "measurement__invalid_reason"))
    for pk, *key in invalid.values_list("pk", *_COLUMNS):
        reason = localize_message(texts.get(pk, "")) or _("invalid")
        result[tuple(key)][reason] += 1
    return dict(result)


def _totals(run: int) -> Counter[TestKey]:
    rows = Case.objects.filter(run=run, purpose=Purpose.MEASURE).exclude(state=CaseState.SKIPPED)
    return Counter(tuple(key) for key in rows.order_by().values_list(*_COLUMNS))


def _text(counts: Counter[str], total: int) -> str:
    """Return "2 of 6 repeats without a valid result (failed 1, lost 1)".."""
    listed = ", ".join(f"{reason} {number}" for reason, number in counts.most_common())
    text = ngettext(
        "{n} of {total} repeat without a valid result ({listed})",
        "{n} of {total} repeats without a valid result ({listed})",
        total,
    )
    return text.format(n=counts.total(), total=total, listed=listed)


def _is_of_baseline(query: GateQuery, workload: Workload, tuning: RunTuning) -> bool:
    """Return True for a test of the baseline level of the same run."""
    if query.kind is Against.TUNING:
        return tuning.name == query.name
    if query.kind is Against.PARAM:
        name, _equals, text = query.name.partition("=")
        value = workload.params.get(name)
        return name not in workload.params or text in (
            str(value), value_text(workload.tool, name, value)
        )  # fmt: skip
    return False
