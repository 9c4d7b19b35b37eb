"""A queue-depth sweep: curves with their knee, the provider's promise, and the model of a disk."""

from __future__ import annotations

import json
from typing import Any

from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.sweep.query import parse_sweep_query
from apps.analysis.sweep.result import Sweep, sweep_of
from apps.common.domain.charts import ChartFigure
from apps.inventory.models import Disk, Host
from apps.inventory.services import disk_specification_set
from apps.plans.models import Workload
from apps.results.models import Series
from apps.results.services.attempt_results import results_store
from apps.results.services.summary_table import summaries_rebuild
from apps.results.tests.factories import series_store
from apps.runs.models import Attempt, AttemptState, Run, RunExpectation, RunState
from apps.runs.tests.factories import create_case
from apps.tools import parse_result
from apps.tools.params import canonical_key
from apps.tools.values import Parameters

# A disk that does 10,000 operations/s at most and needs 400 µs for one alone: 4 in flight fill it.
DEPTHS = {1: 2_500.0, 2: 5_000.0, 4: 9_600.0, 8: 9_900.0, 16: 10_000.0}


def create_sweep(owner: User, repeats: int = 5) -> Run:
    """Cases for each depth, with what the device said beside it."""
    params: Parameters = {"rw": "randread", "bs": 4096}
    points = [(params | {"iodepth": n}, n, iops) for n, iops in DEPTHS.items()]
    return _swept(owner, points, repeats)


def _swept(owner: User, points: list[tuple[Parameters, int, float]], repeats: int = 5) -> Run:
    """Equal cases for each of (parameters, operations in flight, operations/s)."""
    host = Host.objects.create(name="node1", kind=Host.Kind.LOCAL)
    disk = Disk.objects.create(host=host, identity="wwn:1", device_path="/dev/vdb", size=10**12)
    run = Run.objects.create(name="sweep", owner=owner, state=RunState.SUCCEEDED)
    for params, depth, iops in points:
        key = canonical_key({"tool": "fio", "params": params})
        workload = Workload.objects.create(key=key, tool="fio", params=params, label=f"{key[-8:]}")
        for repeat in range(1, repeats + 1):
            case = create_case(run, workload, disk, tuning="Host defaults", repeat=repeat)
            _measured(Attempt.objects.create(case=case, state=AttemptState.SUCCEEDED), depth, iops)
    return run


def _measured(attempt: Attempt, depth: int, iops: float) -> None:
    latency = parse_result.Latency(mean=depth / iops * 1e9)
    found = parse_result.Measurement("read", iops * 4096, iops, latency)
    parsed = parse_result.Parsed("fio", "json+", "3.33", (found,))
    results_store(attempt=attempt, parsed=parsed, parser_version=1)
    used = parse_result.Series("utilisation", (iops / 100, iops / 100, None))
    series_store(attempt=attempt, source=Series.Source.DEVICE, subject="vdb", series=[used])


def query_of(run: Run, query: str = "") -> Sweep:
    return sweep_of(parse_sweep_query(QueryDict(f"run={run.pk}&{query}")))


def test_a_point_has_the_tools_figures_and_the_devices(owner: User) -> None:
    table = query_of(create_sweep(owner)).result.table("points")
    assert table is not None
    assert table.column("x") == [str(depth) for depth in DEPTHS]
    assert table.column("utilisation") == [25, 50, 96, 99, 100]
    assert [round(float(found or 0)) for found in table.column("in_flight")] == list(DEPTHS)
    assert table.column("knee") == ["", "", "knee", "", ""]
    assert all(row.case for row in table.rows)


def test_whole_disk_is_a_value_after_all_numbers(owner: User) -> None:
    """Address space: a small one measures the cache."""
    params: Parameters = {"rw": "randread", "bs": 4096, "iodepth": 8}
    sizes = {None: 2_000.0, 2**30: 9_000.0, 2**33: 4_000.0}
    run = _swept(owner, [(params | {"size": size}, 8, iops) for size, iops in sizes.items()])
    answer = query_of(run).result
    table = answer.table("points")
    assert table is not None
    assert table.column("x") == ["1 GiB", "8 GiB", "the whole disk"]
    assert table.column("iops") == [9_000, 4_000, 2_000]
    (chart,) = answer.charts
    assert chart.figure["layout"]["xaxis"]["ticktext"] == ["1 GiB", "8 GiB", "the whole disk"]
    assert json.loads(json.dumps(chart.figure, allow_nan=False))


def test_unknown_size_has_no_position(owner: User) -> None:
    params: Parameters = {"rw": "randread", "bs": 4096, "iodepth": 8}
    points = [(params | {"size": 2**30 * n}, 8, 1_000.0 * n) for n in (1, 2)]
    table = query_of(_swept(owner, [*points, (params, 8, 500.0)])).result.table("points")
    assert table is not None
    assert table.column("x") == ["1 GiB", "2 GiB"]


def test_headline_with_enough_repeats_names_workload_target_and_knee(owner: User) -> None:
    answer = query_of(create_sweep(owner)).result
    (said,) = answer.headline
    # 9,600 operations/s are the first within 5 % of 10,000; 4 / 9,600 s.
    for figure in ("4 KiB", "node1 /dev/vdb", "9,600 IOPS", "416.7 µs"):
        assert figure in said.text


def test_knee_with_too_few_repeats_is_not_settled(owner: User) -> None:
    answer = query_of(create_sweep(owner, repeats=4)).result
    table = answer.table("points")
    assert table is not None
    assert table.column("knee") == ["", "", "not settled", "", ""]
    assert answer.charts[0].figure["layout"]["shapes"] == []


def test_block_sizes_have_a_peak_of_each_rate_and_no_knee(owner: User) -> None:
    sizes = {4096: 9_000.0, 65536: 8_000.0, 2**20: 400.0}
    params: Parameters = {"rw": "randread", "iodepth": 8}
    run = _swept(owner, [(params | {"bs": size}, 8, iops) for size, iops in sizes.items()])
    answer = query_of(run).result
    table = answer.table("points")
    assert table is not None
    assert "knee" not in [column.key for column in table.columns]
    assert answer.charts[0].figure["layout"]["shapes"] == []
    assert "9,000 IOPS" in answer.headline[0].text


def test_address_spaces_are_held_against_the_largest(owner: User) -> None:
    params: Parameters = {"rw": "randread", "bs": 4096, "iodepth": 8}
    sizes = {None: 230.0, 2**30: 568.0, 2**33: 300.0}
    run = _swept(owner, [(params | {"size": size}, 8, iops) for size, iops in sizes.items()])
    answer = query_of(run).result
    for figure in ("230.0 IOPS", "568.0 IOPS", "2.5 times as high"):
        assert figure in answer.headline[0].text
    assert answer.charts[0].figure["layout"]["shapes"] == []


def test_the_figure_has_a_panel_a_metric_the_knee_and_the_promise(owner: User) -> None:
    run = create_sweep(owner)
    disk_specification_set(disk=Disk.objects.get(), user=owner, values={"sla_iops": 6000.0})
    (chart,) = query_of(run).result.charts
    lines = [trace for trace in chart.figure["data"] if trace["mode"] == "lines+markers"]
    # Bandwidth is IOPS times one block size: it is not drawn a second time.
    assert [trace["yaxis"] for trace in lines] == ["y", "y2", "y3"]
    assert [shape["x0"] for shape in chart.figure["layout"]["shapes"]] == [2, 0]
    assert chart.figure["layout"]["annotations"][0]["text"] == "SLA 6,000 operations/s"


def test_the_page_says_what_was_promised_and_what_the_model_expects(
    owner: User, viewer_client: Client
) -> None:
    run = create_sweep(owner)
    values = {"sla_iops": 6000.0, "seek_ms": 7.0, "rotation_ms": 3.0, "transfer_ms": 0.8}
    disk_specification_set(disk=Disk.objects.get(), user=owner, values=values)
    page = viewer_client.get(reverse("sweep"), {"run": run.pk})
    text = page.content.decode()
    table = page.context["result"].table("points")
    assert table.column("promise") == ["not reached"] * 2 + ["reached"] * 3
    assert "expected to do 93 random operations" in text
    assert "fewer than 4 operations in flight" in text


def test_what_a_step_asks_for_is_held_against_each_point(owner: User) -> None:
    run = create_sweep(owner)
    for workload in Workload.objects.all():
        RunExpectation.objects.create(
            run_target=run.targets.get(), workload=workload, position=0, metric="iops",
            direction="least", value=5000.0, tolerance=10.0, bound=4500.0,
        )  # fmt: skip
    summaries_rebuild()
    table = query_of(run).result.table("points")
    assert table is not None
    reached = [iops >= 4500.0 for iops in DEPTHS.values()]
    assert True in reached
    assert False in reached
    words = ["reached" if each else "not reached" for each in reached]
    assert table.column("promise") == words


def test_without_a_sweep_the_page_says_how_to_get_one(owner: User, owner_client: Client) -> None:
    run = Run.objects.create(name="one", owner=owner, state=RunState.SUCCEEDED)
    page = owner_client.get(f"{reverse('sweep')}?run={run.pk}")
    assert "range that doubles" in page.content.decode()


def test_a_parameter_that_does_not_vary_is_refused(owner: User, owner_client: Client) -> None:
    run = create_sweep(owner)
    page = owner_client.get(f"{reverse('sweep')}?run={run.pk}&x=bs")
    assert page.status_code == 400


def test_requested_series_metric_has_a_panel_and_a_column(owner: User) -> None:
    run = create_sweep(owner)
    answer = query_of(run, "metric=iops&metric=utilisation_max_over_time").result
    table = answer.table("points")
    assert table is not None
    assert table.column("utilisation_max_over_time") == [25, 50, 96, 99, 100]
    titles = [axis["title"]["text"] for axis in _axes(answer.charts[0].figure)]
    assert any("maximum over time" in title for title in titles)
    usual = query_of(run).result.table("points")
    assert usual is not None
    assert "utilisation_max_over_time" not in [column.key for column in usual.columns]


def _axes(figure: ChartFigure) -> list[dict[str, Any]]:
    return [axis for name, axis in figure["layout"].items() if name.startswith("yaxis")]
