"""A report as files: one self-contained HTML file, Excel, Markdown, and PDF through Chromium."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.presenters.formats import XLSX
from apps.analysis.presenters.markdown import body, escaped, plain_markdown
from apps.analysis.presenters.sheets import workbook
from apps.analysis.report.content import Report, ReportPart
from apps.analysis.report.pdf import pdf_of
from apps.analysis.result import AnalysisResult, Table, filled
from apps.common.errors import ServiceError

PAPERS = ("A4", "letter")
MAX_ROWS = 200
"""Rows of a table on paper; all of them are in the Excel file."""


HIGHEST = 850
"""Pixels of a chart that fit on one sheet; what a higher one shows is in the tables as well."""


@dataclass(frozen=True)
class Document:
    """A file's name, media type and bytes."""

    name: str
    media_type: str
    data: bytes


def make_document(report: Report, wanted: str, paper: str = PAPERS[0]) -> Document:
    """A report in a format. Raises ServiceError (400) for a format or paper that is not there, and
    (501, 503) where no PDF can be made.
    """
    if wanted not in DOCUMENT_MAKERS:
        words = _("There is no such format. There are: {formats}.")
        raise _refused("format", words.format(formats=", ".join(DOCUMENT_MAKERS)))
    if paper not in PAPERS:
        raise _refused("paper", _("Paper is A4 or letter."))
    media_type, make = DOCUMENT_MAKERS[wanted]
    return Document(f"{report.name}.{wanted}", media_type, make(report, paper))


def _refused(name: str, message: str) -> ServiceError:
    return ServiceError(message, {name: message}, status=400)


def html(report: Report, paper: str = PAPERS[0]) -> str:
    """A page that needs nothing else: styles, scripts and figures are in it, and it may load
    nothing from anywhere.
    """
    context = {
        "report": report,
        "parts": [_part_for_paper(part) for part in report.below],
        "language": get_language() or "en",
        "paper": paper,
        "plotly": _asset("vendor/plotly/plotly-cartesian.min.js"),
        "style": _asset("css/report.css"),
        "script": _asset("js/report.js"),
    }
    return render_to_string("analysis/report/document.html", context)


def _part_for_paper(part: ReportPart) -> ReportPart:
    return replace(part, result=_for_paper(part.result)) if part.result else part


def _for_paper(result: AnalysisResult) -> AnalysisResult:
    tables = tuple(_cut(table) for table in result.tables if not table.folded)
    charts = tuple(chart for chart in result.charts if chart.height <= HIGHEST)
    return replace(result, tables=tables, charts=charts)


def _cut(table: Table) -> Table:
    """The table without empty columns, as far as it goes on paper."""
    columns, rows = filled(table.columns, table.rows)
    table = replace(table, columns=tuple(columns), rows=tuple(rows))
    if len(table.rows) <= MAX_ROWS:
        return table
    words = _("The first {shown} of {total} rows; all of them are in the Excel file.")
    note_text = words.format(shown=MAX_ROWS, total=len(table.rows))
    note = " ".join(filter(None, (table.note, note_text)))
    return replace(table, rows=table.rows[:MAX_ROWS], note=note)


@lru_cache(maxsize=8)
def _asset(path: str) -> str:
    """A file of ours, as text that ends no script and no style."""
    text = (Path(settings.BASE_DIR) / "static" / path).read_text("utf-8")
    return text.replace("</script", "<\\/script").replace("</style", "<\\/style")


def text(report: Report) -> str:
    """The report as Markdown. What a person wrote is Markdown already, without its HTML."""
    lines = [f"# {escaped(report.title)}", ""]
    lines += [f"**{escaped(finding.text)}**  " for finding in report.headline]
    lines += ["", conditions_text(report)] if report.conditions else []
    lines += ["", plain_markdown(report.text), ""] if report.text else [""]
    for part in report.below:
        lines += _part_text(part)
    lines += [f"## {_('How to read this')}", ""] if report.reading else []
    lines += [f"{line}\n" for line in map(escaped, report.reading)]
    lines += [f"## {_('About this report')}", ""]
    lines += [f"- **{escaped(name)}**: {escaped(value)}" for name, value in report.facts]
    return "\n".join([*lines, ""])


def conditions_text(report: Report) -> str:
    """The conditions as one line of Markdown."""
    return " · ".join(f"{escaped(one.name)}: {escaped(one.text)}" for one in report.conditions)


def _part_text(part: ReportPart) -> list[str]:
    title = [f"## {escaped(part.title)}", ""] if part.title else []
    text_lines = [plain_markdown(part.text), ""] if part.text else []
    refused = [escaped(part.error), ""] if part.error else []
    return [*title, *text_lines, *refused, *([body(part.result)] if part.result else [])]


def _html(report: Report, paper: str) -> bytes:
    return html(report, paper).encode()


def _pdf(report: Report, paper: str) -> bytes:
    return pdf_of(html(report, paper))


def _xlsx(report: Report, paper: str) -> bytes:
    facts = [(one.name, one.text) for one in report.conditions]
    facts += [*report.facts, *(("", line) for line in report.reading)]
    texts = [("", report.text), *((part.title, part.text) for part in report.parts)]
    facts += [(name, text) for name, text in texts if text]
    return workbook(report.results, facts)


def _md(report: Report, paper: str) -> bytes:
    return text(report).encode()


Make = Callable[[Report, str], bytes]
NAMES = {"html": lazy("HTML"), "pdf": lazy("PDF"), "xlsx": lazy("Excel"), "md": lazy("Markdown")}
"""Names of the formats for people."""
DOCUMENT_MAKERS: Mapping[str, tuple[str, Make]] = {
    "html": ("text/html; charset=utf-8", _html),
    "pdf": ("application/pdf", _pdf),
    "xlsx": (XLSX, _xlsx),
    "md": ("text/markdown; charset=utf-8", _md),
}
"""By the word of the address: the media type and what makes it."""
