"""Report as a file: self-contained HTML, Excel, Markdown, or PDF through Chromium."""

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
"""Limit of table rows on paper; the Excel file has all."""


MAX_CHART_HEIGHT = 850
"""Limit of a chart's height in pixels that fits a sheet; its values are in the tables too."""


PLOTLY_LOCALES = {"zh-hans": "vendor/plotly/plotly-locale-zh-cn.js"}
"""Languages of Plotly's dates and buttons by language of the reader; English is built in."""


@dataclass(frozen=True)
class Document:
    """File with name, media type and bytes."""

    name: str
    media_type: str
    data: bytes


def make_document(report: Report, file_format: str, paper: str = PAPERS[0]) -> Document:
    """Return a report in a format.

    Raises: ServiceError (400) for an unknown format or paper, (501, 503) if no PDF can be made.
    """
    if file_format not in DOCUMENT_MAKERS:
        message = _("There is no such format. There are: {formats}.")
        raise _validation_error("format", message.format(formats=", ".join(DOCUMENT_MAKERS)))
    if paper not in PAPERS:
        raise _validation_error("paper", _("Paper is A4 or letter."))
    media_type, make = DOCUMENT_MAKERS[file_format]
    return Document(f"{report.name}.{file_format}", media_type, make(report, paper))


def _validation_error(name: str, message: str) -> ServiceError:
    return ServiceError(message, {name: message}, status=400)


def html(report: Report, paper: str = PAPERS[0]) -> str:
    """Return a self-contained page with styles, scripts and figures, which may load nothing."""
    language = get_language() or "en"
    locale = PLOTLY_LOCALES.get(language)
    context = {
        "report": report,
        "parts": [_part_for_paper(part) for part in report.below],
        "language": language,
        "paper": paper,
        "plotly": _asset("vendor/plotly/plotly-cartesian.min.js"),
        "plotly_locale": _asset(locale) if locale else "",
        "style": _asset("css/report.css"),
        "script": _asset("js/report.js"),
    }
    return render_to_string("analysis/report/document.html", context)


def _part_for_paper(part: ReportPart) -> ReportPart:
    return replace(part, result=_for_paper(part.result)) if part.result else part


def _for_paper(result: AnalysisResult) -> AnalysisResult:
    tables = tuple(_shorten(table) for table in result.tables if not table.folded)
    charts = tuple(chart for chart in result.charts if chart.height <= MAX_CHART_HEIGHT)
    return replace(result, tables=tables, charts=charts)


def _shorten(table: Table) -> Table:
    """Return the table without empty columns, shortened for paper."""
    columns, rows = filled(table.columns, table.rows)
    table = replace(table, columns=tuple(columns), rows=tuple(rows))
    if len(table.rows) <= MAX_ROWS:
        return table
    message = _("The first {shown} of {total} rows; all of them are in the Excel file.")
    note_text = message.format(shown=MAX_ROWS, total=len(table.rows))
    note = " ".join(filter(None, (table.note, note_text)))
    return replace(table, rows=table.rows[:MAX_ROWS], note=note)


@lru_cache(maxsize=8)
def _asset(path: str) -> str:
    """Return a static file as text that contains no end tag of script or style."""
    text = (Path(settings.BASE_DIR) / "static" / path).read_text("utf-8")
    return text.replace("</script", "<\\/script").replace("</style", "<\\/style")


def text(report: Report) -> str:
    """Return the report as Markdown; a user's Markdown without HTML."""
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
    """Return the conditions as one line of Markdown."""
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
"""Display names of the formats."""
DOCUMENT_MAKERS: Mapping[str, tuple[str, Make]] = {
    "html": ("text/html; charset=utf-8", _html),
    "pdf": ("application/pdf", _pdf),
    "xlsx": (XLSX, _xlsx),
    "md": ("text/markdown; charset=utf-8", _md),
}
"""Media type and renderer by format."""
