"""Stalls within imported tests are stored with the series and shown in comparisons."""

from __future__ import annotations

from collections.abc import Callable
from csv import DictReader

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.verdicts.comparison import compare_runs
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import
from apps.results.models import Series


@pytest.fixture
def run(owner: User) -> int:
    """The run of the team's six outputs before and after a tuning."""
    stored = import_store(imported=create_import(owner), user=owner)
    assert stored.run_id
    return stored.run_id


def test_stalled_seconds_of_team_outputs_are_stored(run: int) -> None:
    rows = Series.objects.filter(run=run, metric="bandwidth", subject="write")
    assert sorted(rows.values_list("stalled", "length")) == [(2.0, 10), (5.0, 10)]


def test_comparison_of_single_runs_states_stalls_and_spread(run: int) -> None:
    comparison = compare_runs(runs=[run])
    notes = {r.group.operation: comparison.within_tests.get((r.group.slug, r.pairs[0].level))
             for r in comparison.results}  # fmt: skip
    write = notes["write"]
    assert write is not None
    assert (write.baseline.stalled, write.own.stalled) == (2.0, 5.0)
    assert (write.baseline.seconds, write.own.seconds) == (10.0, 10.0)
    assert not write.is_tested
    assert write.spread is not None
    # 83.3205 MiB/s before with a standard deviation of 88.8145, 88.9052 after with 133.
    assert write.spread.deviation > 1
    assert write.spread.error > abs(write.spread.change - 1)


def test_stalled_seconds_are_a_metric_on_request(run: int) -> None:
    comparison = compare_runs(runs=[run], metrics=["stalled_seconds"])
    write = next(r for r in comparison.results if r.group.operation == "write")
    (entry,) = (e for e in write.entries if e.metric == "stalled_seconds")
    assert (entry.a.tolist(), entry.b.tolist()) == ([2.0], [5.0])


def test_stalls_are_in_api_csv_and_page(
    run: int, client: Client, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    answer = api(viewer).get(f"/api/v1/compare/?run={run}").json()
    write = next(one for one in answer["workloads"] if one["operation"] == "write")
    (note,) = write["within_tests"]
    assert (note["baseline_stalled"], note["stalled"], note["seconds"]) == (2.0, 5.0, 10.0)
    client.force_login(viewer)
    assert note["text"].split(".")[0] in client.get(f"/compare/?run={run}").content.decode()
    csv = client.get(f"/compare/?run={run}&format=csv").getvalue().decode()
    rows = list(DictReader(csv.splitlines()))
    stalls = {
        (row["baseline_stalled"], row["stalled"]) for row in rows if row["operation"] == "write"
    }
    assert {(float(a), float(b)) for a, b in stalls} == {(2.0, 5.0)}
