"""Workbooks are read within bounds: what is damaged, too large or no workbook is said to be."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import openpyxl
import pytest
import xlsxwriter

from apps.tools import workbooks
from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Output
from apps.tools.registry import TOOLS
from apps.tools.workbooks import first_sheet, is_workbook

SHEET = "xl/worksheets/sheet1.xml"
ROWS = [["iozone -a", None, 4], [], [None, 2.5, "a\u00e9 <b>"]]
CELLS = {0: {0: "iozone -a", 2: 4.0}, 2: {1: 2.5, 2: "a\u00e9 <b>"}}


def by_openpyxl() -> bytes:
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    book.create_sheet("second").append(["another"])
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def by_xlsxwriter() -> bytes:
    target = io.BytesIO()
    with xlsxwriter.Workbook(target) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(ROWS):
            sheet.write_row(number, 0, row)
    return target.getvalue()


def changed(**files: str | None) -> bytes:
    """The first with the files of these endings replaced; None leaves one out."""
    with zipfile.ZipFile(io.BytesIO(by_openpyxl())) as book:
        known: Mapping[str, bytes] = {name: book.read(name) for name in book.namelist()}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in known.items():
            new = files.get(name.rpartition("/")[2].partition(".")[0], content)
            if new is not None:
                book.writestr(name, new)
    return target.getvalue()


def sheet_of(cells: str) -> bytes:
    return changed(sheet1=f"<worksheet><sheetData>{cells}</sheetData></worksheet>")


@pytest.mark.parametrize("data", [by_openpyxl(), by_xlsxwriter()], ids=["openpyxl", "XlsxWriter"])
def test_texts_and_numbers_stand_where_they_were_written(data: bytes) -> None:
    assert is_workbook(data)
    assert first_sheet(data) == CELLS


def test_texts_of_a_cell_and_cells_without_a_place() -> None:
    inline = '<row><c t="inlineStr"><is><t>one </t><t>two</t></is></c><c><v>7</v></c></row>'
    assert first_sheet(sheet_of(inline)) == {0: {0: "one two", 1: 7.0}}


def test_another_archive_is_no_workbook() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.txt", "xl/workbook.xml")
    assert not is_workbook(target.getvalue())
    assert not is_workbook(by_openpyxl()[:2000])
    assert not is_workbook(b"")


ENTITIES = '<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'


@pytest.mark.parametrize(
    "data",
    [
        changed(sheet1=None),
        changed(sheet1="<worksheet><sheetData>"),
        changed(sheet1=ENTITIES),
        sheet_of('<row><c r="A1" t="s"><v>99</v></c></row>'),
        sheet_of('<row><c r="A1"><v>four</v></c></row>'),
        sheet_of('<row><c r="A0"><v>4</v></c></row>'),
    ],
    ids=["no sheet", "cut off", "a document type", "no such text", "no number", "no place"],
)
def test_damaged_workbook_raises_a_message(data: bytes) -> None:
    with pytest.raises(OutputError, match="damaged, or protected"):
        first_sheet(data)


def test_decompression_bomb_is_refused_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its directory may say what it likes: bytes are counted as they are unpacked."""
    monkeypatch.setattr(workbooks, "MAX_UNPACKED", 1024**2)
    data = sheet_of(" " * 8 * 1024**2)
    assert len(data) < 20_000
    with pytest.raises(OutputError, match="too large"):
        first_sheet(data)


def test_cells_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_CELLS", 3)
    with pytest.raises(OutputError, match="too large"):
        first_sheet(sheet_of("<row>" + "<c><v>1</v></c>" * 4 + "</row>"))


def test_a_far_column_makes_no_long_row() -> None:
    """Of a million rows each as long as its last column is far away."""
    rows = "".join(f'<row r="{n}"><c r="ZZZ{n}"><v>1</v></c></row>' for n in range(1, 200))
    with pytest.raises((OutputError, ToolError), match="too large"):
        TOOLS["iozone"].parse(Output({"stdout": sheet_of(rows), "stderr": b""}))
