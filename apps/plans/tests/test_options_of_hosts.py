"""Options that a host's own tool does not list stop the launch with a sentence."""

from __future__ import annotations

import pytest

from apps.plans.domain.option_checks import option_problems, version_warnings
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import PlannedCase
from apps.plans.schemas.targets import PlannedHost, PlannedMember, PlannedTarget
from apps.plans.selectors.target_rows import host_data
from apps.plans.tests.factories import a_plan, create_disk, plan_cases
from apps.tools.values import RawValue

LISTED = {"fio": frozenset({"rw", "bs", "bssplit"})}


def sentences(options: dict[str, frozenset[str]], **params: str) -> list[str]:
    host = PlannedHost(1, "node01", tools={"fio": "3.1"}, options=options)
    target = PlannedTarget("disk", 1, "wwn-1", "node01: sdb", host, size=2**40)
    step = StepSpec("fio", {"rw": "randread", **params})
    (case,) = plan_cases(a_plan(step, targets=(target,), repeats=1), seed=1)
    return [problem.message for problem in option_problems(case)]


def test_an_option_the_host_does_not_list_is_a_problem() -> None:
    found = sentences(LISTED, bssplit="4k/50:8k/50", random_distribution="zipf:1.2")
    assert found == ["fio 3.1 on node01 has no option random_distribution."]


def test_an_engine_that_the_host_does_not_list_is_a_problem() -> None:
    listed = {"fio": frozenset({"rw", "ioengine=libaio"})}
    step = StepSpec("fio", {"rw": "randwrite", "ioengine": "rbd"})
    host = PlannedHost(1, "node01", tools={"fio": "3.1"}, options=listed)
    client = PlannedMember("pool", 1, "bench", "bench", "node01: bench", host)
    pool = PlannedTarget("pool", 1, "bench", "bench", host, members=(client,))
    (case,) = plan_cases(a_plan(step, targets=(pool,), repeats=1), seed=1)
    (problem,) = option_problems(case)
    assert (problem.message, problem.field) == (
        "fio 3.1 on node01 has no option ioengine=rbd.",
        "ioengine",
    )


def test_host_without_listed_engines_is_not_checked() -> None:
    assert sentences(LISTED, ioengine="io_uring") == []


@pytest.mark.parametrize("options", [{}, {"fio": frozenset()}])
def test_a_host_that_listed_nothing_is_not_judged(options: dict[str, frozenset[str]]) -> None:
    assert sentences(options, random_distribution="zipf:1.2") == []


def test_usual_parameters_need_no_listed_option() -> None:
    assert sentences(LISTED) == []


@pytest.mark.django_db
def test_a_host_of_an_old_agent_lists_nothing() -> None:
    assert host_data(create_disk().host).options == {}


@pytest.mark.parametrize(
    ("version", "listed", "expected"),
    [
        ("3.33", frozenset(), ["thinkcycles needs fio 3.37 or newer; node01 has 3.33."]),
        ("3.33", frozenset({"rw"}), ["thinkcycles needs fio 3.37 or newer; node01 has 3.33."]),
        # A build without the option, and a host with a patched fio: the list decides.
        ("3.41", frozenset({"rw"}), ["fio 3.41 on node01 has no option thinkcycles."]),
        ("3.33", frozenset({"rw", "thinkcycles"}), []),
        ("3.41", frozenset(), []),
    ],
)
def test_versions_explain_what_the_list_decides(
    version: str, listed: frozenset[str], expected: list[str]
) -> None:
    host = PlannedHost(1, "node01", tools={"fio": version}, options={"fio": listed})
    assert [each.message for each in option_problems(a_case(host, thinkcycles=5))] == expected


def a_case(host: PlannedHost, name: str = "", **params: RawValue) -> PlannedCase:
    target = PlannedTarget("disk", host.id, f"wwn-{host.id}", "sdb", host, size=2**40)
    step = StepSpec("fio", {"rw": "randread", **params}, name)
    (case,) = plan_cases(a_plan(step, targets=(target,), repeats=1), seed=1)
    return case


def test_hosts_of_several_versions_are_named_with_the_tests_that_not_all_can_run() -> None:
    old = PlannedHost(1, "node01", tools={"fio": "3.9"})
    new = PlannedHost(2, "node02", tools={"fio": "3.41"})
    cases = [a_case(host, name, **raw) for host in (new, old) for name, raw in STEPS.items()]
    (warning,) = version_warnings(cases)
    assert "3.9 on node01; 3.41 on node02" in warning.message
    assert "Placed" in warning.message
    assert "Usual" not in warning.message
    assert not list(version_warnings([a_case(new), a_case(new)]))


STEPS: dict[str, dict[str, RawValue]] = {"Usual": {}, "Placed": {"thinkcycles": 5}}
