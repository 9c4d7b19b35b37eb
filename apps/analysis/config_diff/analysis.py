"""Analysis view "config-diff": differences between runs, tests, hosts or times."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from apps.analysis.config_diff.filters import ConfigDiffFilter
from apps.analysis.config_diff.selectors import MAX_SNAPSHOTS, config_snapshots
from apps.analysis.config_diff.snapshots import PARTS, ConfigSnapshot
from apps.analysis.queries.summary_query import SummaryQuery, empty_result
from apps.analysis.result import AnalysisResult, BasisItem, Column, Finding, Row, Table
from apps.inventory.domain.facts import differences, everything

KEY = "config-diff"
TITLE = lazy("Configuration diff")
FILTER = ConfigDiffFilter
TITLES = {
    "facts": lazy("Hosts"),
    "settings": lazy("Effective settings"),
    "versions": lazy("Versions of tools"),
    "plan": lazy("Plan and workload"),
}
Line = tuple[str, tuple[str, ...]]


def compute(query: SummaryQuery[ConfigDiffFilter]) -> AnalysisResult:
    """Return the differences between the selected snapshots; of a single one all values."""
    filterset = query.filterset
    if filterset.selection.names_nothing and not filterset.form.cleaned_data["moment"]:
        return empty_result(KEY, TITLE, query, _("Name two runs, tests or hosts: ?run=1&run=2."))
    meant = config_snapshots(filterset)
    sides = meant.shown
    if not sides:
        return empty_result(KEY, TITLE, query, _("No run has results that fit."))
    tables = [_table(part, sides, bool(filterset.form.cleaned_data["all"])) for part in PARTS]
    shown_tables = [table for table in tables if table.rows]
    if not any(list(_known_values(side, part)) for side in sides for part in PARTS):
        return empty_result(KEY, TITLE, query, _("Nothing is known of these."))
    if not shown_tables:
        whole = (_table(part, sides, True) for part in PARTS)
        shown_tables = [table for table in whole if table.rows][:1]
        return _result(query, sides, _equal(sides), shown_tables, meant.named)
    return _result(query, sides, _headline(sides, shown_tables), shown_tables, meant.named)


def _known_values(side: ConfigSnapshot, part: str) -> list[tuple[str, str]]:
    return [
        (name, text)
        for key, value in (side.parts.get(part) or {}).items()
        for name, text in everything(value, key)
        if text
    ]


def _is_known(side: ConfigSnapshot, part: str) -> bool:
    """Return True if the part is known. No applied settings are known too, but not for imports."""
    own = side.parts[part]
    return own is not None if part == "settings" else bool(own)


def _equal(sides: Sequence[ConfigSnapshot]) -> str:
    """Return a sentence about equal snapshots, naming the parts that all of them have."""
    known_parts = [
        str(TITLES[part])
        for part in PARTS
        if all(part in side.parts and _is_known(side, part) for side in sides)
    ]
    if not known_parts:
        return _("No part is known of all of them, so nothing can be compared.")
    return _("Nothing differs in {where}.").format(where=", ".join(known_parts))


def _diff_lines(part: str, sides: Sequence[ConfigSnapshot], all_of_it: bool) -> list[Line]:
    """Return the differences, or all values of a single snapshot.

    A part that is unknown for one snapshot is no difference.
    """
    known_sides = [
        side.parts[part] for side in sides if part in side.parts and _is_known(side, part)
    ]
    if len(sides) == 1 and part in sides[0].parts and not known_sides:
        return [(str(TITLES[part]), (_("not known"),))]
    if len(known_sides) < len(sides):
        return []
    if len(sides) == 1:
        return [(name, (text,)) for name, text in _known_values(sides[0], part)]
    query = dict(differences(known_sides))
    if not all_of_it:
        return list(query.items())
    equal = dict(_known_values(sides[0], part))
    names = sorted({*query, *(name for name in equal if not _is_part_of_difference(name, query))})
    return [(name, query.get(name, (equal.get(name, ""),) * len(sides))) for name in names]


def _is_part_of_difference(name: str, query: dict[str, tuple[str, ...]]) -> bool:
    """Return True if a name belongs to a part that differs as a whole."""
    text = name.split(" ")
    return any(" ".join(text[:n]) in query for n in range(1, len(text) + 1))


def _table(part: str, sides: Sequence[ConfigSnapshot], all_of_it: bool) -> Table:
    columns = (
        Column("name", _("What")),
        *(Column(f"side{number}", side.name) for number, side in enumerate(sides, 1)),
    )
    rows = tuple(Row((name, *texts)) for name, texts in _diff_lines(part, sides, all_of_it))
    return Table(part, str(TITLES[part]), columns, rows)


def _headline(sides: Sequence[ConfigSnapshot], tables: Sequence[Table]) -> str:
    if len(sides) == 1:
        return _("All that is known of {name}; name another to see what differs.").format(
            name=sides[0].name
        )
    number = sum(len(table.rows) for table in tables)
    text = ngettext("{n} difference in {where}.", "{n} differences in {where}.", number)
    return text.format(n=number, where=", ".join(table.title for table in tables))


def _result(
    query: SummaryQuery[ConfigDiffFilter],
    sides: Sequence[ConfigSnapshot],
    finding: str,
    shown_tables: list[Table],
    named: int,
) -> AnalysisResult:
    fewer = _("The newest {n} of {all} that fit.").format(n=MAX_SNAPSHOTS, all=named)
    notes = [fewer] if named > MAX_SNAPSHOTS else []
    unknown = _("{name}: not known: {parts}. So nothing is compared there.")
    for side in sides:
        parts = [
            str(TITLES[part]) for part in PARTS if part in side.parts and not _is_known(side, part)
        ]
        if parts:
            notes.append(unknown.format(name=side.name, parts=", ".join(parts)))
    return AnalysisResult(
        view=KEY,
        title=str(TITLE),
        query=query.query,
        headline=(Finding(finding),),
        tables=tuple(shown_tables),
        notes=tuple(notes),
        basis=(BasisItem(_("Side by side"), ", ".join(side.name for side in sides)),),
    )


__all__ = ["FILTER", "KEY", "TITLE", "compute"]
