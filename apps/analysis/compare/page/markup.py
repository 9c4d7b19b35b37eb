"""Markup of the matrix's rows: in a template 25 rows of eight cells took half of the whole page."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.analysis.compare.page.matrix import MatrixCell, MatrixRow
from apps.analysis.compare.page.shown import Shown

MISSING = '<td class="num missing">–</td>'


class _Words(NamedTuple):
    """Words that each row says, as markup."""

    repeats: str
    main: str
    by: str


class MatrixMarkup:
    """The rows of a comparison's matrix as markup; all that is no markup of ours is escaped."""

    def __init__(self, shown: Shown, query: str) -> None:
        asked = escape(query)
        page = f"&amp;page={shown.page}" if shown.page > 1 else ""
        self._shown, self._opened = shown, shown.table.slug if shown.table else None
        self._link = f"?{asked}{page}&amp;group="
        self._details = f"{escape(reverse('compare_details'))}?{asked}&amp;group="

    @property
    def rows(self) -> SafeString:
        """All rows."""
        return SafeString("\n".join(map(self._row, self._shown.matrix.rows)))

    def _row(self, row: MatrixRow) -> str:
        opened = ' class="is-open"' if row.slug == self._opened else ""
        level = f'<td class="matrix-level">{escape(row.level)}</td>' if self._has_levels else ""
        cells = "".join(map(_cell, row.cells))
        return f'<tr{opened}><th scope="row">{self._head(row)}</th>{level}{cells}</tr>'

    @property
    def _has_levels(self) -> bool:
        return len(self._shown.levels) > 2

    def _head(self, row: MatrixRow) -> str:
        slug, words = escape(row.slug), self._words
        where = f"{escape(row.where)} · " if row.where else ""
        return (
            f'<a href="{self._link}{slug}#details" data-details="{slug}"'
            f' hx-get="{self._details}{slug}" hx-target="#details"'
            f' hx-swap="innerHTML show:top">{escape(row.label)}</a><span class="under">{where}'
            f'<span title="{words.repeats}">n = {escape(row.counts)}</span> · '
            f'<span title="{words.main}">{words.by % {"metric": escape(row.main)}}</span></span>'
        )

    @cached_property
    def _words(self) -> _Words:
        return _Words(
            escape(_("Repeats of the baseline and of the level")),
            escape(_("The main metric, tested before the others")),
            _("by %(metric)s"),
        )


def _cell(cell: MatrixCell | None) -> str:
    if cell is None:
        return MISSING
    arrow = f'<span aria-hidden="true">{escape(cell.arrow)}</span> ' if cell.arrow else ""
    below = (part for part in (cell.typical, cell.interval) if part)
    under = "".join(f'<span class="under">{escape(part)}</span>' for part in below)
    look = f"cell-{escape(cell.kind)} cell-{cell.strength}"
    return (
        f'<td class="num cell {look}" title="{escape(cell.why)}"><span class="figure">{arrow}'
        f'{escape(cell.change)}</span>{under}<span class="visually-hidden">{escape(cell.words)}'
        "</span></td>"
    )
