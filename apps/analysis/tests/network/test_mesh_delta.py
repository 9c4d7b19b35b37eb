"""The change of a network between two tunings or two runs: the comparison's own verdicts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.models import Host, HostFacts, HostPair
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.tests.factories import add_target
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Run
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_attempt, create_host
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

REPEATS = 6
FOUND, BUFFERS = "Host defaults", "Large buffers"
GBIT = 1.25e8


@pytest.fixture
def plan(owner: User) -> TestPlan:
    """Both directions between two hosts, under two tunings."""
    hosts = [
        create_host(name=name, kind=Host.Kind.SSH, address=f"10.0.0.{number}")
        for number, name in enumerate(("east", "west"), 1)
    ]
    spec = PlanSpec(steps=(StepSpec("iperf"),), repeats=REPEATS)
    plan = TestPlan.objects.create(name="mesh", owner=owner, spec=spec)
    for client, server in (hosts, hosts[::-1]):
        add_target(plan, HostPair.objects.create(client=client, server=server))
    for name, value in ((FOUND, ""), (BUFFERS, "4096 131072 16777216")):
        setting = Setting("sysctl", "net.ipv4.tcp_rmem", value)
        settings = (setting,) if value else ()
        plan.tunings.add(TuningProfile.objects.create(name=name, owner=owner, settings=settings))
    return plan


def measured(plan: TestPlan, user: User, *, east: float = 9.0, gain: float = 1.0) -> Run:
    """A run of the plan, `east` Gbit/s from east to west, 9 back; `gain` of the buffers. Repeats
    differ by their number alone, so that no verdict is chance.
    """
    run = run_launch(plan=plan, user=user)
    facts = HostFacts.objects.first()
    for case in run.cases.all():
        to_west = case.run_target.name.startswith("east")
        rate = (east if to_west else 9.0) * (gain if case.tuning_name == BUFFERS else 1.0)
        attempt = create_attempt(case, facts=facts)
        for operation, share in (("send", 1.0), ("receive", 0.99)):
            Measurement.objects.create(
                attempt=attempt,
                case=case,
                workload=case.workload,
                operation=operation,
                bandwidth=rate * share * GBIT * (1 + case.repeat / 1000),
                parser_version=1,
            )
    summaries_rebuild()
    return run


def params(client: Client, run: Run, **query: Any) -> Any:
    found = client.get("/api/v1/analysis/network/", {"run": run.pk} | query)
    assert found.status_code == 200, found.json()
    return found.json()


def changes(data: Any) -> dict[tuple[str, str], tuple[str, float]]:
    """Verdict and change by (client, server)."""
    table = next(one for one in data["tables"] if one["key"] == "delta")
    return {(row[0], row[1]): (row[2], round(row[3], 1)) for row in table["rows"]}


def test_a_tuning_is_held_against_another(
    plan: TestPlan, owner: User, owner_client: Client
) -> None:
    run = measured(plan, owner, gain=1.3)
    data = params(owner_client, run, tuning=BUFFERS, against=f"tuning:{FOUND}")
    better = ("better", 1.3)
    assert changes(data) == {("east", "west"): better, ("west", "east"): better}
    assert data["verdicts"][0]["text"] == "Better in 2 cells."
    compared = comparison_query(owner_client, data)
    assert {row["verdict"] for row in compared} == {"better"}


def comparison_query(client: Client, data: Any) -> list[dict[str, Any]]:
    """The rows of the comparison that the answer leads to."""
    query = data["next_steps"][0]["address"].partition("?")[2]
    told = client.get(f"/api/v1/analysis/compare/?{query}").json()
    table = next(one for one in told["tables"] if one["key"] == "bandwidth")
    names = [column["key"] for column in table["columns"]]
    return [dict(zip(names, row, strict=True)) for row in table["rows"]]


def test_a_run_is_held_against_an_earlier_one(
    plan: TestPlan, owner: User, owner_client: Client
) -> None:
    before, after = measured(plan, owner), measured(plan, owner, east=6.0)
    data = params(owner_client, after, against=f"run:{before.pk}")
    found = changes(data)
    assert found[("east", "west")] == ("worse", 0.7)
    assert found[("west", "east")][0] == "no_difference"
    address = reverse("run_mesh", args=[after.pk])
    plain = owner_client.get(address).content.decode()
    assert f'value="run:{before.pk}"' in plain
    page = owner_client.get(address, {"against": f"run:{before.pk}"}).content.decode()
    assert "Worse in 1 cell." in page
    assert f"of “Run {after.pk}” against “Run {before.pk}”" in page


def test_what_was_not_measured_alike_is_not_offered(
    plan: TestPlan, owner: User, owner_client: Client
) -> None:
    before = measured(plan, owner)
    steps = (StepSpec("iperf", {"length": "64K"}),)
    plan.spec = msgspec.structs.replace(plan.spec, steps=steps)
    plan.save()
    after = measured(plan, owner)
    address = reverse("run_mesh", args=[after.pk])
    assert f"run:{before.pk}" not in owner_client.get(address).content.decode()
    wrong = owner_client.get(address, {"against": f"run:{before.pk}"})
    assert wrong.status_code == 400


def test_only_rates_have_verdicts(plan: TestPlan, owner: User, owner_client: Client) -> None:
    run = measured(plan, owner)
    Measurement.objects.filter(operation="send").update(values={"retransmits": 3})
    data = params(owner_client, run, figure="retransmits", against=f"tuning:{FOUND}")
    assert "delta" not in [table["key"] for table in data["tables"]]


def test_too_few_repeats_are_not_called_no_difference(
    plan: TestPlan, owner: User, owner_client: Client
) -> None:
    plan.spec = msgspec.structs.replace(plan.spec, repeats=2)
    plan.save()
    run = measured(plan, owner, gain=1.3)
    data = params(owner_client, run, tuning=BUFFERS, against=f"tuning:{FOUND}")
    assert [one["text"] for one in data["verdicts"]] == ["Too few repeats in 2 cells."]
