"""A sweep says of every value what the comparison of the same results says: the same verdicts, from
the same family, by the same figures.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from apps.accounts.models import User
from apps.analysis.queries.comparison_query import parse_comparison_query
from apps.analysis.result import AnalysisResult, Table
from apps.analysis.sweep.query import parse_sweep_query
from apps.analysis.sweep.result import sweep_of
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run, create_target
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.comparison import compute_comparison as compared
from apps.analysis.verdicts.verdict_text import SHORT
from apps.runs.models import Run
from tests.harness.documents import Changes

Pairs = Sequence[tuple[str, str]]
Said = tuple[Any, ...]


def points(depths: Sequence[int], sizes: Sequence[int] = (4096,)) -> list[Changes]:
    return [PARAMS | {"iodepth": depth, "bs": size} for size in sizes for depth in depths]


def comparison_verdicts(comparison: ComparisonResult) -> dict[Said, list[Said]]:
    """The comparison's verdicts by metric, effect and blocks: a sweep's rows have no key."""
    found: dict[Said, list[Said]] = {}
    for result in comparison.results:
        for number, pair in enumerate(result.pairs):
            for metric, verdict in result.verdicts[number].items():
                effect = verdict.effect
                blocks = [result.repeats.blocks(metric, rows) for rows in (pair.a, pair.b)]
                figures = (str(SHORT[metric]), effect.ratio, effect.low, effect.high, *blocks)
                found.setdefault(figures, []).append((verdict.kind.value, pair.level))
    return found


def table(answer: AnalysisResult) -> Table:
    found = answer.table("verdicts")
    assert found is not None
    return found


def drawn(answer: AnalysisResult) -> list[tuple[Said, str]]:
    found = table(answer)
    names = ("metric", "typical", "low", "high", "baseline_blocks", "blocks")
    rows = zip(*(found.column(name) for name in names), strict=True)
    return list(zip(rows, map(str, found.column("verdict")), strict=True))


def both(pairs: Pairs, shown: Pairs = ()) -> tuple[ComparisonResult, AnalysisResult]:
    comparison = compared(parse_comparison_query(QueryDict(urlencode(pairs))))
    sweep = sweep_of(parse_sweep_query(QueryDict(urlencode([*pairs, *shown]))))
    return comparison, sweep.result


def assert_they_agree(comparison: ComparisonResult, answer: AnalysisResult) -> None:
    found = comparison_verdicts(comparison)
    rows = drawn(answer)
    assert rows
    for figures, kind in rows:
        assert kind in [texts for texts, _level in found[figures]], figures
    family = {fact.name: fact.text for fact in answer.basis}
    assert family["Comparisons corrected together"] == f"{comparison.family:,}"


@pytest.mark.parametrize("seed", range(12))
def test_whatever_was_measured_both_say_the_same(owner: User, seed: int) -> None:
    """Made-up runs: depths, sizes, tunings, repeats, gains and noise are drawn by lot."""
    dice = random.Random(seed)
    depths = sorted(dice.sample([1, 2, 4, 8, 16, 32, 64], dice.randint(2, 4)))
    tunings = ["Host defaults", "Scheduler none", "none, nomerges 2"][: dice.randint(2, 3)]
    runs = [
        create_measured_run(
            Setup(
                owner,
                tunings=tunings,
                points=points(depths, dice.choice([(4096,), (4096, 4 * 1024**2)])),
                repeats=dice.choice([3, 6, 10, 12]),
                gains={tunings[-1]: dice.choice([0.8, 1.0, 1.01, 1.3])},
                noise=dice.choice([0.002, 0.05]),
                seed=seed,
                interleaved=dice.random() < 0.5,
            )
        )
        for _number in range(dice.randint(1, 2))
    ]
    params: list[tuple[str, str]] = [("run", str(run.pk)) for run in runs]
    if dice.random() < 0.3:
        params.append(("minimum", "2"))
    comparison, answer = both(params, [("x", "iodepth"), ("at-bs", "*")])
    assert_they_agree(comparison, answer)
    tested = sum(len(texts) for result in comparison.results for texts in result.verdicts)
    assert len(drawn(answer)) == tested, "every verdict has its place"


def whole(owner: User, **more: Any) -> Run:
    wanted: Changes = {
        "points": points([1, 4, 16]),
        "repeats": 8,
        "gains": {"Scheduler none": 1.3},
    } | more
    return create_measured_run(Setup(owner, **wanted))


def test_what_the_chart_shows_changes_no_verdict(owner: User) -> None:
    """One of two block sizes is looked at; both were compared."""
    run = whole(owner, points=points([1, 4], (4096, 4 * 1024**2)))
    every = both([("run", str(run.pk))], [("x", "iodepth"), ("at-bs", "*")])[1]
    one = both([("run", str(run.pk))], [("x", "iodepth"), ("at-bs", "4096")])[1]
    assert len(drawn(one)) * 2 == len(drawn(every))
    assert set(drawn(one)) <= set(drawn(every))


def test_other_factors_agree_as_well(owner: User) -> None:
    disk = create_target(owner)
    first = whole(owner, disk=disk, tunings=("Host defaults",))
    second = whole(owner, disk=disk, tunings=("Host defaults",), seed=2)
    params = [("run", str(first.pk)), ("run", str(second.pk)), ("factor", "run")]
    assert_they_agree(*both(params, [("x", "iodepth")]))


def test_the_sentence_never_calls_better_what_the_comparison_does_not(owner: User) -> None:
    same = whole(owner, gains={}, seed=5)
    answer = both([("run", str(same.pk))])[1]
    assert {texts.kind for texts in answer.headline[1:]} == {"no_difference"}
    assert "Host defaults" in answer.headline[0].text
    better = whole(owner)
    texts = both([("run", str(better.pk))])[1].headline
    assert "Scheduler none" in texts[0].text
    assert texts[1].kind == "better"
