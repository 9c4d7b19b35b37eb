"""Analysis results as Markdown. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from apps.analysis.presenters.table_cells import cell_text
from apps.analysis.result import AnalysisResult, Table


def markdown(results: Sequence[AnalysisResult]) -> str:
    """Return every result under its own heading."""
    parts = [f"## {escaped(result.title)}\n\n{body(result)}" for result in results]
    return "\n".join(parts) + "\n"


def plain_markdown(text: str) -> str:
    """Return a user's Markdown with HTML escaped."""
    return text.replace("<", "&lt;")


def body(result: AnalysisResult) -> str:
    """Return a result without its heading."""
    return "\n".join(_lines(result))


def _lines(result: AnalysisResult) -> Iterator[str]:
    yield from _block(escaped(text) for text in (result.subject, result.empty) if text)
    yield from _block(f"**{escaped(finding.text)}**  " for finding in result.headline)
    for table in result.tables:
        yield from _table(table)
    yield from _block(f"- {escaped(note)}" for note in result.notes)
    facts = ", ".join(f"{fact.name}: {fact.text}" for fact in result.basis)
    yield from _block([f"{_('Data and method')}: {escaped(facts)}"] if facts else [])


def _block(lines: Iterable[str]) -> Iterator[str]:
    """Return lines with an empty line after them; nothing for no lines."""
    result = list(lines)
    yield from (*result, "") if result else ()


def _table(table: Table) -> Iterator[str]:
    yield f"### {escaped(table.title)}"
    yield ""
    yield _row([str(column.title) for column in table.columns])
    yield "|" + "|".join("---:" if column.is_number else "---" for column in table.columns) + "|"
    for row in table.rows:
        cells = zip(table.columns, row.cells, strict=True)
        yield _row([cell_text(column, value) for column, value in cells])
    yield ""
    if table.note:
        yield from (escaped(table.note), "")


def _row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(escaped(text) for text in texts) + " |"


def escaped(text: str) -> str:
    """Return text without markup, HTML and line breaks."""
    result = " ".join(str(text).split())
    for sign in "\\`*_[]<>|#":
        result = result.replace(sign, "\\" + sign)
    return result
