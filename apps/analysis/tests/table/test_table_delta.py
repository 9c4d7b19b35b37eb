"""The change between two tunings over two parameters: the comparison's own verdicts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.runs.models import Run

Api = Callable[[User | None], APIClient]
DEPTHS, SIZES = (1, 32), (4096, 4 * 1024**2)


@pytest.fixture
def run(owner: User) -> Run:
    points = [PARAMS | {"iodepth": depth, "bs": bs} for depth in DEPTHS for bs in SIZES]
    return create_measured_run(Setup(owner, points=points, gains={"Scheduler none": 1.3}))


def rows(data: Any, key: str) -> list[dict[str, Any]]:
    table = next(one for one in data["tables"] if one["key"] == key)
    names = [column["key"] for column in table["columns"]]
    return [dict(zip(names, row, strict=True)) for row in table["rows"]]


def params(api: Api, user: User, run: Run, **query: Any) -> Any:
    known: Any = {
        "run": run.pk,
        "metric": "iops",
        "tuning": "Scheduler none",
        "against": "Host defaults",
    }
    found = api(user).get("/api/v1/analysis/table/", known | query)
    assert found.status_code == 200, found.json()
    return found.json()


@pytest.mark.parametrize("metric", ["iops", "latency_max"])
def test_every_place_has_the_verdict_of_the_comparison(
    run: Run, api: Api, viewer: User, metric: str
) -> None:
    data = params(api, viewer, run, metric=metric)
    compared = api(viewer).get("/api/v1/analysis/compare/", {"run": run.pk}).json()
    told = sorted((row["verdict"], row["change"]) for row in rows(data, "delta"))
    assert told == sorted((row["verdict"], row["change"]) for row in rows(compared, metric))
    assert len(told) == len(DEPTHS) * len(SIZES)


def test_what_is_not_shown_is_grey(run: Run, api: Api, viewer: User) -> None:
    def drawn(metric: str) -> list[int]:
        figure = params(api, viewer, run, metric=metric)["figures"][0]["figure"]
        return [sum(z is not None for row in trace["z"] for z in row) for trace in figure["data"]]

    assert drawn("iops") == [0, 4]
    assert drawn("latency_max") == [4, 0]


def test_the_other_way_round_it_is_worse(run: Run, api: Api, viewer: User) -> None:
    data = params(api, viewer, run, tuning="Host defaults", against="Scheduler none")
    assert {row["verdict"] for row in rows(data, "delta")} == {"worse"}
    assert data["verdicts"][0]["text"] == "Worse in 4 cells."
    assert "baseline=Scheduler+none" in data["next_steps"][0]["address"]


def test_places_are_chosen_and_measured_again(
    run: Run, owner: User, owner_client: Client, viewer_client: Client
) -> None:
    """A place sends a case of its test; the owner alone is offered it."""
    address = reverse("run_grid", args=[run.pk])
    page = owner_client.get(address).content.decode()
    chosen = re.findall(r'form="again" name="case" value="(\d+)" aria-label="([^"]+)"', page)
    assert len(chosen) == len(DEPTHS) * len(SIZES)
    assert reverse("run_add_repeats", args=[run.pk]) in page
    case, label = chosen[-1]
    test = run.cases.get(pk=case).workload
    assert [str(test.params["iodepth"]) in label, "×" in label] == [True, True]
    assert 'form="again"' not in viewer_client.get(address).content.decode()
    sent = {"repeats": 2, "chosen": "1", "case": [case]}
    owner_client.post(reverse("run_add_repeats", args=[run.pk]), sent)
    queued = run.cases.filter(state="pending")
    assert {row.workload_id for row in queued} == {test.pk}
    assert {row.tuning_name for row in queued} == {"Host defaults", "Scheduler none"}


def test_the_page_shows_it_and_leads_to_cases(run: Run, viewer_client: Client) -> None:
    address = reverse("run_grid", args=[run.pk])
    plain = viewer_client.get(address, {"metric": "iops"})
    assert plain.context["delta"] is None
    assert "Change against" in plain.content.decode()
    query = {"metric": "iops", "tuning": "Scheduler none", "against": "Host defaults"}
    page = viewer_client.get(address, query)
    told = page.content.decode()
    assert "Better in 4 cells." in told
    for row in page.context["delta"].table.rows:
        assert reverse("case_detail", args=[row.case]) in told
