"""Lines of a plan's page for fields that no sentence of it states."""

from __future__ import annotations

from apps.plans.presenters.plan_text import plan_lines
from apps.plans.schemas.plan import PlanSpec
from apps.plans.schemas.preconditioning import Preconditioning
from apps.plans.schemas.steady_state import SteadyStateRule
from apps.plans.schemas.stopping import PrecisionLimits


def test_plan_lines_of_fields_with_a_sentence_are_none() -> None:
    spec = PlanSpec(
        repeats=9,
        order="listed",
        stopping_rule=PrecisionLimits(3.0, "target", 9, 2.0),
        preconditioning=Preconditioning("secure", 1, 1, 9, even_if_known=True),
        steady_state=SteadyStateRule(max_rounds=7, step=2),
    )

    assert plan_lines(spec) == []


def test_plan_lines_of_other_fields_have_label_and_value() -> None:
    spec = PlanSpec(
        preconditioning=Preconditioning(max_aging_rounds=9, aging_round_seconds=30),
        steady_state=SteadyStateRule(max_rounds=7, metric="latency_mean"),
    )

    assert plan_lines(spec) == [
        ("Preparation of the disks: Seconds of such a round", "30"),
        ("Rounds until steady state: Figure that is tracked", "mean latency"),
    ]
