"""The tables of a sweep as a workbook: what the page shows, for every operation."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import openpyxl
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.runs.models import Case, Run

from .factories import add_fio, create_table


def sheet_of(client: Client, run: Run, query: str = "") -> Any:
    answer = client.get(reverse("run_grid_sheet", args=[run.pk]) + query)
    assert answer.status_code == 200, answer.content[:500]
    assert answer["Content-Disposition"] == f'attachment; filename="run-{run.pk}-table.xlsx"'
    return openpyxl.load_workbook(BytesIO(answer.content)).active


def blocks(sheet: Any) -> dict[str, list[list[Any]]]:
    """The rows below each operation's name."""
    found: dict[str, list[list[Any]]] = {}
    name = ""
    for row in sheet.iter_rows(values_only=True):
        if row[0] and not any(row[1:]):
            found[name := row[0]] = []
        elif name and any(row):
            found[name].append([cell for cell in row if cell is not None])
    return found


def test_each_operation_has_its_block_in_iozones_order(run: Run, viewer_client: Client) -> None:
    sheet = sheet_of(viewer_client, run, "?metric=bandwidth")
    found = blocks(sheet)
    assert list(found)[:4] == ["write", "rewrite", "read", "reread"]
    assert found["read"][0][:2] == ["4 KiB", "8 KiB"]
    page = viewer_client.get(reverse("run_grid", args=[run.pk]) + "?operation=read")
    grid = page.context["grid"]
    assert len(found["read"]) == 1 + len(grid.ys)
    cell = grid.cells[grid.xs[0], grid.ys[0]]
    unit = sheet["B5"].value
    factor = 1024**3 if "GiB/s" in unit else 1024**2
    assert abs(found["read"][1][1] - cell.median / factor) < 1e-6, unit


def test_what_is_above_the_blocks_says_what_they_hold(run: Run, viewer_client: Client) -> None:
    sheet = sheet_of(viewer_client, run)
    facts = {row[0]: row[1] for row in sheet.iter_rows(max_row=7, max_col=2, values_only=True)}
    assert facts["Run"] == str(run)
    assert facts["Top row"] == "Record size"
    assert "medians of the valid repeats" in facts["Figures"]


def test_text_that_looks_like_a_formula_stays_text(owner: User, viewer_client: Client) -> None:
    run = create_table(owner, target="=1+1", operations=["read"])
    sheet = sheet_of(viewer_client, run)
    (cell,) = [cell for cell in sheet["B"] if cell.value == "=1+1"]
    assert cell.data_type == "s"


def test_sheet_errors_equal_those_of_the_page(
    run: Run, stranger: User, owner_client: Client, client: Client
) -> None:
    address = reverse("run_grid_sheet", args=[run.pk])
    assert owner_client.get(address + "?metric=pk").status_code == 400
    assert client.get(address).status_code == 302
    client.force_login(stranger)
    assert client.get(address).status_code == 200, "the archive is everybody's who is inside"
    Case.objects.all().delete()
    add_fio(run, "read", "read", 4096)
    assert b"No table yet" in owner_client.get(address).content
