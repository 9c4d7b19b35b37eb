"""The figures of every view in a PDF and in an Excel file, as other programs read them."""

from __future__ import annotations

import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import openpyxl
import pytest
from django.http import QueryDict

from apps.accounts.models import User
from apps.analysis.presenters.table_cells import cell_text
from apps.analysis.registry import VIEWS
from apps.analysis.report.content import Report, ReportPart
from apps.analysis.report.document import make_document
from apps.analysis.report.pdf import chromium
from apps.analysis.result import AnalysisResult
from apps.analysis.tests.archive import archive_fill
from apps.analysis.tests.test_views import assert_same

OF_A_RUN = re.compile(r"/runs/(\d+)/")
pytestmark = pytest.mark.django_db


@pytest.fixture
def report(owner: User) -> Report:
    """An answer of each view, and changes of a table and a network."""
    parts = [
        ReportPart(name, result=_answer(name.removesuffix("-delta"), address))
        for name, address in archive_fill(owner).items()
    ]
    return Report("Every view", "every-view", (), "", tuple(parts), ())


def _answer(view: str, address: str) -> AnalysisResult:
    path, query = urlsplit(address)[2:4]
    of_run = OF_A_RUN.search(path)
    params = "&".join(filter(None, (f"run={of_run[1]}" if of_run else "", query)))
    return VIEWS["medians" if view == "report" else view].analyse(QueryDict(params))


def words_of(text: str) -> str:
    """The text without spaces: a cell may be broken into lines."""
    return re.sub(r"[\s\N{NO-BREAK SPACE}]+", "", text)


def figures(answer: AnalysisResult) -> set[str]:
    """Every number of the tables that are on paper, as people read it."""
    return {
        words_of(cell_text(column, value))
        for table in answer.tables
        if not table.folded
        for row in table.rows
        for column, value in zip(table.columns, row.cells, strict=True)
        if column.is_number and value is not None
    }


@pytest.mark.skipif(not chromium(), reason="Chromium is not installed")
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="there is no pdftotext")
def test_a_pdf_has_the_figures_of_every_view(report: Report, tmp_path: Path) -> None:
    target = tmp_path / "views.pdf"
    target.write_bytes(make_document(report, "pdf").data)
    command = ["pdftotext", "-raw", str(target), "-"]
    texts = subprocess.run(command, capture_output=True, check=True, text=True)
    shown = words_of(texts.stdout)
    for part in report.parts:
        assert part.result is not None
        missing = {figure for figure in figures(part.result) if figure not in shown}
        assert (part.title, missing) == (part.title, set())
        assert part.title == "config-diff" or figures(part.result)


def test_an_excel_file_has_the_numbers_of_every_view(report: Report) -> None:
    book = openpyxl.load_workbook(BytesIO(make_document(report, "xlsx").data))
    tables = [table for part in report.parts if part.result for table in part.result.tables]
    assert len(book.sheetnames) == len(tables) + 1
    for table, name in zip(tables, book.sheetnames[1:], strict=True):
        for place, column in enumerate(table.columns, 1):
            stored = [row.cells[place - 1] for row in table.rows]
            shown = [book[name].cell(row, place).value for row in range(5, 5 + len(stored))]
            if column.is_number:
                assert [value is None for value in shown] == [value is None for value in stored]
                told = [(a, b) for a, b in zip(stored, shown, strict=True) if a is not None]
                assert_same({"kind": column.kind}, [a for a, _b in told], [b for _a, b in told])
