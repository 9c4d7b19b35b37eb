"""A run over two parameters: table, heat map, surface, and what is said without them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.repeats.grid import Choice, axes_of, grid_of, run_results
from apps.analysis.table.figures import heat_map, surface
from apps.results.models import Series as Stored
from apps.results.services.attempt_results import results_store
from apps.results.services.summary_table import summaries_rebuild
from apps.results.tests.factories import series_store
from apps.runs.models import Attempt, AttemptState, CaseState, Run, RunState
from apps.tools.parse_result import Latency, Measurement, Parsed, Series

from .factories import SAMPLE, add_fio, create_table

KIB = 1024
LABELS = {"record_size": "Record size", "file_size": "File size"}
UNITS = {"record_size": "bytes", "file_size": "bytes"}


def choice(operation: str = "read", metric: str = "bandwidth") -> Choice:
    return Choice("record_size", "file_size", operation, metric, "", "/srv")


def address(run: Run, query: str = "") -> str:
    return reverse("run_grid", args=[run.pk]) + query


def test_every_cell_is_where_iozone_printed_it(run: Run) -> None:
    results = run_results(run)
    grid = grid_of(results, choice())
    printed = {
        (int(words[0]), int(words[1])): int(words[4])
        for line in SAMPLE.read_text().splitlines()
        if len(words := line.split()) > 6 and words[0].isdigit()
    }
    shown = {(y // KIB, x // KIB): cell.median / KIB for (x, y), cell in grid.cells.items()}
    assert len(shown) == 10
    assert shown == printed


def test_repeats_are_a_median_with_their_range(owner: User) -> None:
    run = create_table(owner, repeats=3, operations=["read"])
    results = run_results(run)
    cell = next(iter(grid_of(results, choice()).cells.values()))
    assert cell.repeats == 3
    assert cell.least == cell.median == cell.most


def test_axes_are_the_parameters_that_vary(run: Run) -> None:
    results = run_results(run)
    assert axes_of(results) == ["record_size", "file_size"]


def test_figures_have_a_row_for_each_file_size(run: Run) -> None:
    grid = grid_of(run_results(run), choice())
    for draw in (heat_map, surface):
        trace = draw(grid, LABELS, UNITS)["data"][0]
        assert len(trace["z"]) == len(grid.ys)
        assert {len(row) for row in trace["z"]} == {len(grid.xs)}
    assert heat_map(grid, LABELS, UNITS)["data"][0]["x"][0] == "4 KiB"


def test_the_page_shows_table_and_chart_to_everybody_inside(
    run: Run, viewer_client: Client, client: Client
) -> None:
    page = viewer_client.get(address(run, "?operation=write"))
    text = page.content.decode()
    assert page.status_code == 200
    assert "plotly-cartesian" in text
    assert page.context["grid"].choice.operation == "write"
    assert "plotly-gl3d" in viewer_client.get(address(run, "?view=surface")).content.decode()
    assert client.get(address(run)).status_code == 302


@pytest.mark.parametrize(
    "query", ["?x=file_size&y=file_size", "?operation=x", "?metric=pk", "?x=a"]
)
def test_invalid_choice_is_an_error(run: Run, owner_client: Client, query: str) -> None:
    page = owner_client.get(address(run, query))
    assert page.status_code == 400
    assert "grid" not in page.context


def test_a_run_without_two_parameters_says_how_to_get_them(
    owner: User, owner_client: Client
) -> None:
    run = Run.objects.create(name="one", owner=owner, state=RunState.SUCCEEDED)
    assert "range that doubles" in owner_client.get(address(run)).content.decode()


def test_results_with_unknown_target_are_shown(owner: User, owner_client: Client) -> None:
    run = create_table(owner, target="", operations=["read", "rewrite"])
    add_fio(run, "read", "read", 4096, target="vdb")
    for query in ("", "?target=&operation=rewrite"):
        assert owner_client.get(address(run, query)).context["grid"]
    for query in ("", "&target=&show=rewrite"):
        page = owner_client.get(f"{reverse('sweep')}?run={run.pk}{query}")
        assert page.context["result"].charts


def test_what_is_offered_was_measured_under_the_choices_before_it(
    run: Run, owner_client: Client
) -> None:
    for rw, operation in (("randread", "read"), ("randwrite", "write")):
        for bs in (4096, 8192):
            add_fio(run, rw, operation, bs)
    query = f"run={run.pk}&x=bs&show=write&at-rw=randread"
    page = owner_client.get(f"{reverse('sweep')}?{query}")
    assert page.status_code == 200
    assert "at-rw" not in page.context["form"].fields
    assert "file_size" not in str(page.context["form"].fields)
    assert page.context["result"].table("points").column("x") == ["4 KiB", "8 KiB"]


def test_tests_that_differ_in_everything_are_no_sweep(owner: User, owner_client: Client) -> None:
    """The standard four: another access pattern with another block size."""
    run = Run.objects.create(name="four", owner=owner, state=RunState.SUCCEEDED)
    for rw, operation, bs in (("randread", "read", 4096), ("read", "read", 4194304)):
        add_fio(run, rw, operation, bs)
    assert axes_of(run_results(run)) == []
    page = owner_client.get(f"{reverse('sweep')}?run={run.pk}")
    assert "No sweep yet" in page.content.decode()


def test_a_tables_axes_vary_together(run: Run, owner_client: Client) -> None:
    page = owner_client.get(address(run, "?x=file_size"))
    assert (page.context["grid"].choice.x, page.context["grid"].choice.y) == (
        "file_size",
        "record_size",
    )


def test_what_a_comparison_leaves_out_is_in_no_table(run: Run) -> None:
    """A case that failed in the end, and an attempt that a later one replaced."""
    failed, repeated = run.cases.order_by("sequence")[:2]
    failed.state = CaseState.FAILED
    failed.save()
    summaries_rebuild()
    again = Attempt.objects.create(case=repeated, number=2, state=AttemptState.SUCCEEDED)
    operation = repeated.measurements.get().operation
    parsed = Parsed("iozone", "text", "3.489", (Measurement(operation, 1.0, 1.0, Latency()),))
    results_store(attempt=again, parsed=parsed, parser_version=1)
    found = {row.case: row.values["bandwidth"] for row in run_results(run)}
    assert failed.pk not in found
    assert found[repeated.pk] == 1.0
    assert len(found) == run.cases.count() - 1


def test_a_figure_over_time_is_a_choice_like_others(run: Run, owner_client: Client) -> None:
    for number, attempt in enumerate(Attempt.objects.filter(case__run=run).order_by("case_id")):
        used = Series("utilisation", (10.0, 20.0 + number))
        series_store(attempt=attempt, source=Stored.Source.DEVICE, subject="sdb", series=[used])
    page = owner_client.get(address(run)).content.decode()
    assert "utilisation_max_over_time" in page
    assert "power_mean_over_time" not in page
    key = "utilisation_max_over_time"
    results = run_results(run, metric=key)
    grid = grid_of(results, choice(metric=key))
    assert {cell.median for cell in grid.cells.values()} <= {
        20.0 + number for number in range(len(results))
    }
    assert len(grid.cells) == 10
    assert owner_client.get(address(run, f"?metric={key}&operation=read")).status_code == 200
    told = owner_client.get(f"/api/v1/analysis/table/?run={run.pk}&metric={key}&operation=read")
    assert told.status_code == 200
