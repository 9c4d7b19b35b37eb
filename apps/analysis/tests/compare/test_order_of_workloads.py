"""A comparison lists workloads, levels and choices by value: 2 stands before 16."""

from __future__ import annotations

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs

DEPTHS = (1, 16, 2, 32, 4, 64, 8)


def test_workloads_stand_by_the_value_of_their_parameters(owner: User) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in DEPTHS]
    run = create_measured_run(Setup(owner, points=points, repeats=2))
    comparison = compare_runs(runs=[run.pk])
    assert [result.group.label for result in comparison.results] == [
        f"random read 4 KiB, QD {depth}, in 1 GiB" for depth in sorted(DEPTHS)
    ]


def test_levels_of_a_parameter_too_and_a_word_is_one_in_its_tools_order(owner: User) -> None:
    setup = Setup(
        owner,
        tunings=("Host defaults",),
        points=[PARAMS | {"iodepth": depth} for depth in DEPTHS],
        repeats=1,
    )
    comparison = compare_runs(runs=[create_measured_run(setup).pk], factor="param:iodepth")
    assert comparison.levels == tuple(f"Queue depth {depth}" for depth in sorted(DEPTHS))
    modes = [PARAMS | {"rw": rw} for rw in ("randwrite", "write", "randread", "read")]
    run = create_measured_run(Setup(owner, tunings=("Host defaults",), points=modes, repeats=1))
    comparison = compare_runs(runs=[run.pk], factor="param:rw")
    assert [level.split()[-1] for level in comparison.levels] == [
        "read", "write", "randread", "randwrite",
    ]  # fmt: skip
