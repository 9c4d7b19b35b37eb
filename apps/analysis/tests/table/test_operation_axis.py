"""Operations as an axis: one table as iozone prints it, its workbook and its outliers."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.repeats.grid import OPERATION, Cell, Choice, Grid, run_results, table_axes_of
from apps.analysis.table.outliers import outliers_of
from apps.inventory.models import HostFacts
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Run, RunState
from apps.tools.registry import is_from_page_cache
from apps.tools.values import Parameters

from .factories import FLATTENED, add_fio, create_archive, create_table

KIB, MIB = 1024, 1024**2
ROWS = {2: (73827, 29362, 81404, 81444), 64: (72619, 73450, 83329, 85359)}
"""Record size in KiB -> write, rewrite, read and reread in KiB/s, as iozone printed them."""


@pytest.fixture(scope="module")
def module_single_size(module_owner: User) -> Run:
    """Return the table of a file of 4 GiB: 13 record sizes, four operations."""
    return create_table(module_owner, sample=FLATTENED)


@pytest.fixture
def single_size(module_single_size: Run, db: None) -> Run:
    return module_single_size


def test_table_of_one_file_size_has_operations_across_as_printed(
    single_size: Run, viewer_client: Client
) -> None:
    page = viewer_client.get(reverse("run_grid", args=[single_size.pk]))
    grid = page.context["grid"]
    assert grid.xs == ("write", "rewrite", "read", "reread")
    assert len(grid.ys) == 13
    for record_size, printed in ROWS.items():
        row = [grid.cells[x, record_size * KIB].median / KIB for x in grid.xs]
        assert row == pytest.approx(printed)


def test_single_cell_far_from_its_neighbours_is_marked(
    single_size: Run, viewer_client: Client
) -> None:
    page = viewer_client.get(reverse("run_grid", args=[single_size.pk]))
    assert outliers_of(page.context["grid"]) == {("rewrite", 2 * KIB)}
    assert len(page.context["notes"]) == 1
    answer = viewer_client.get(f"/api/v1/analysis/table/?run={single_size.pk}").json()
    assert answer["notes"]


def test_workbook_with_operation_axis_is_one_block(single_size: Run, viewer_client: Client) -> None:
    answer = viewer_client.get(reverse("run_grid_sheet", args=[single_size.pk]))
    sheet = openpyxl.load_workbook(BytesIO(answer.content)).active
    rows = [[cell for cell in row if cell is not None] for row in sheet.values]
    assert ["write", "rewrite", "read", "reread"] in rows
    (first,) = [row for row in rows if row and row[0] == "2 KiB"]
    assert first[1:] == pytest.approx([value / KIB for value in ROWS[2]])


def test_operation_axis_at_several_file_sizes_has_a_block_for_each(
    run: Run, viewer_client: Client
) -> None:
    query = "?x=operation&y=record_size"
    page = viewer_client.get(reverse("run_grid", args=[run.pk]) + query)
    assert page.status_code == 200
    assert "at-file_size" in page.context["form"].fields
    assert page.context["grid"].xs[:4] == ("write", "rewrite", "read", "reread")
    answer = viewer_client.get(reverse("run_grid_sheet", args=[run.pk]) + query)
    sheet = openpyxl.load_workbook(BytesIO(answer.content)).active
    sizes = {str(row[0]) for row in sheet.values if "File size" in str(row[0])}
    assert sizes == {f"File size {size} KiB" for size in (256, 512)}


@pytest.mark.parametrize("query", ["?y=operation", "?x=operation", "?x=file_size&y=operation"])
def test_operation_is_accepted_on_each_axis(run: Run, viewer_client: Client, query: str) -> None:
    page = viewer_client.get(reverse("run_grid", args=[run.pk]) + query)
    assert page.status_code == 200
    assert page.context["grid"].choice.has_operation_axis
    surface = viewer_client.get(reverse("run_grid", args=[run.pk]) + query + "&view=surface")
    assert surface.status_code == 200


def test_operation_twice_is_refused(run: Run, viewer_client: Client) -> None:
    query = "?x=operation&y=operation"
    assert viewer_client.get(reverse("run_grid", args=[run.pk]) + query).status_code == 400


def test_axes_of_one_operation_lack_operations(owner: User) -> None:
    run = create_table(owner, operations=["read"])
    assert OPERATION not in table_axes_of(run_results(run))


def grid_of_rows(*rows: tuple[float, ...], operations: bool = False) -> Grid:
    xs = ("write", "rewrite", "read", "reread") if operations else (1, 2, 3, 4)
    choice = Choice(OPERATION if operations else "a", "b", "", "bandwidth", "", "")
    cells = {
        (x, y): Cell(value, value, value, 1, 1)
        for y, row in enumerate(rows)
        for x, value in zip(xs, row, strict=True)
    }
    return Grid(choice, xs, tuple(range(len(rows))), cells)


def test_value_that_grows_steadily_has_no_outlier() -> None:
    rows = [tuple(100.0 * 2**y for _x in range(4)) for y in range(5)]
    assert outliers_of(grid_of_rows(*rows)) == frozenset()
    assert outliers_of(grid_of_rows(*rows, operations=True)) == frozenset()


def test_row_that_drops_in_every_operation_has_no_outlier() -> None:
    rows = [(40.0,) * 4, *[(100.0,) * 4] * 3]
    assert outliers_of(grid_of_rows(*rows, operations=True)) == frozenset()


def test_cell_between_equal_neighbours_is_an_outlier_of_both_axes() -> None:
    rows = [(100.0,) * 4, (100.0, 50.0, 100.0, 100.0), (100.0,) * 4]
    grid = grid_of_rows(*rows)
    assert outliers_of(grid) == {(2, 1)}
    assert outliers_of(replace(grid, cells={})) == frozenset()


@pytest.mark.parametrize(
    ("name", "values", "shown"),
    [
        ("direct", (False, True), ["no", "yes"]),
        ("ioengine", ("io_uring", "libaio"), ["libaio", "io_uring"]),
    ],
)
def test_choice_or_flag_is_an_axis_in_its_tools_order(
    owner: User, viewer_client: Client, name: str, values: tuple[bool | str, ...], shown: list[str]
) -> None:
    run = Run.objects.create(name=name, owner=owner, state=RunState.SUCCEEDED)
    for value in values:
        for bs in (4096, 8192):
            add_fio(run, "read", "read", bs, more={name: value})
    page = viewer_client.get(reverse("run_grid", args=[run.pk]) + f"?x={name}&y=bs")
    assert page.status_code == 200
    assert page.context["columns"] == shown
    assert len(page.context["grid"].cells) == 4
    default = viewer_client.get(reverse("run_grid", args=[run.pk])).context["grid"].choice
    assert (default.x, default.y) == (name, "bs")
    answer = viewer_client.get(f"/api/v1/analysis/table/?run={run.pk}&x=bs&y={name}")
    assert answer.status_code == 200


def set_memory(run: Run, memory: int) -> None:
    """Give every result of a run a host with this memory in bytes."""
    facts = HostFacts.objects.create(
        host=create_archive(), digest=f"{memory:064}", facts={"memory": memory}
    )
    Attempt.objects.filter(case__run=run).update(facts=facts)
    summaries_rebuild()


@pytest.mark.parametrize(("memory", "cached"), [(8 * 1024**3, True), (2 * 1024**3, False)])
def test_rewrite_and_reread_of_a_file_within_memory_are_from_the_page_cache(
    single_size: Run, viewer_client: Client, memory: int, cached: bool
) -> None:
    set_memory(single_size, memory)
    page = viewer_client.get(reverse("run_grid", args=[single_size.pk]))
    grid = page.context["grid"]
    of = {x: {cell.is_cached for key, cell in grid.cells.items() if key[0] == x} for x in grid.xs}
    assert of["write"] == of["read"] == {False}
    assert of["rewrite"] == of["reread"] == {cached}
    assert ("from the page cache" in page.content.decode()) == cached
    case = single_size.cases.all()[0]
    rows = viewer_client.get(reverse("run_detail", args=[single_size.pk]) + f"?group={case.pk}")
    assert ("from the page cache" in rows.content.decode()) == cached
    answer = viewer_client.get(f"/api/v1/analysis/table/?run={single_size.pk}").json()
    columns = [column["key"] for column in answer["tables"][1]["columns"]]
    assert ("page_cache" in columns) == cached


@pytest.mark.parametrize(
    ("known", "memory"),
    [({"direct": True}, 8), ({"direct": None}, 8), ({"threads": 4}, 8), ({}, None), ({}, 2)],
)
def test_operation_is_not_known_to_use_the_page_cache(
    known: Parameters, memory: int | None
) -> None:
    params: Parameters = {"file_size": 4 * 1024**3, "direct": False, "threads": 1}
    size = None if memory is None else memory * 1024**3
    assert not is_from_page_cache("iozone", "reread", params | known, size)
    assert is_from_page_cache("iozone", "reread", params, 8 * 1024**3)
    assert not is_from_page_cache("iozone", "read", params, 8 * 1024**3)
