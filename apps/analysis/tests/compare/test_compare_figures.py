"""The charts' addresses, and the fragment with merged percentiles."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.common.domain.histograms import merge, percentiles
from apps.results.models import Histogram

pytestmark = pytest.mark.django_db


def test_bars_have_a_dot_for_every_repeat(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner))
    figure = viewer_client.get(f"/compare/figure/bars/?run={run.pk}&chart=bandwidth").json()
    assert [trace["type"] for trace in figure["data"]] == ["bar", "scatter"] * 2
    assert [len(trace["x"]) for trace in figure["data"]] == [1, 6, 1, 6]
    assert figure["layout"]["xaxis"]["title"]["text"] == "Bandwidth (MiB/s)"


def test_workloads_of_two_main_metrics_stand_in_two_panels(
    owner: User, viewer_client: Client
) -> None:
    points = [PARAMS, PARAMS | {"bs": 2**20}]
    run = create_measured_run(Setup(owner, points=points))
    figure = viewer_client.get(f"/compare/figure/bars/?run={run.pk}").json()
    titles = [figure["layout"][name]["title"]["text"] for name in ("xaxis", "xaxis2")]
    assert sorted(title.split(" (")[0] for title in titles) == ["Bandwidth", "IOPS"]
    page = viewer_client.get(f"/compare/?run={run.pk}").content.decode()
    assert '<option value="main"' in page
    alone = viewer_client.get(f"/compare/figure/bars/?run={run.pk}&chart=bandwidth").json()
    assert "xaxis2" not in alone["layout"]


def test_the_forest_has_every_comparison_once(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 1.1}))
    figure = viewer_client.get(f"/compare/figure/forest/?run={run.pk}").json()
    drawn = [label for trace in figure["data"] for label in trace["text"]]
    assert len(drawn) == 7
    assert not [label for label in drawn if "Bandwidth" in label]
    assert figure["layout"]["xaxis"]["title"]["text"] == "Change (logarithmic scale)"


def test_percentiles_come_from_added_counts(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, histograms=True))
    group = compare_runs(runs=[run.pk]).results[0].group
    query = f"?run={run.pk}&group={group.slug}"
    figure = viewer_client.get(f"/compare/figure/percentiles/{query}").json()
    assert [trace["name"] for trace in figure["data"]] == ["Host defaults", "Scheduler none"]
    fragment = viewer_client.get(f"/compare/distribution/{query}").content.decode()
    rows = Histogram.objects.filter(measurement__case__run_tuning__name="Host defaults")
    p99 = percentiles(*merge(rows.values_list("bins", "counts")), [99.0])[0]
    assert p99 is not None
    assert f"{p99:,} ns" in fragment
    assert "p99.99<" in fragment


def test_without_histograms_the_fragment_says_so(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner))
    group = compare_runs(runs=[run.pk]).results[0].group
    answer = viewer_client.get(f"/compare/distribution/?run={run.pk}&group={group.slug}")
    assert "no histograms" in answer.content.decode()


def test_charts_follow_the_page_that_is_shown(owner: User, viewer_client: Client) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in range(1, 28)]
    run = create_measured_run(Setup(owner, points=points))
    figure = viewer_client.get(f"/compare/figure/bars/?run={run.pk}&page=2&chart=iops").json()
    assert len(figure["data"][0]["x"]) == 2


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("figure/pie/", 404),
        ("figure/bars/?chart=speed", 404),
        ("figure/percentiles/?group=none", 404),
        ("distribution/?group=none", 404),
        ("figure/bars/?run=x", 400),
        ("distribution/?run=x", 400),
    ],
)
def test_what_is_not_there(viewer_client: Client, address: str, status: int) -> None:
    assert viewer_client.get(f"/compare/{address}").status_code == status
