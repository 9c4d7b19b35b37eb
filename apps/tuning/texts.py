"""Free settings as people write them: lines of sysctl.conf(5) and sections of a ceph.conf.

Both readers keep what they understand and say of every other line why they did not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from .free import CEPH, MOST_ROWS, SYSCTL, free_key, free_row

MOST_CHARACTERS = 100_000
_COMMENT = re.compile(r"(?:^|\s)[#;].*")
_HEADING = re.compile(r"\[\s*([^\]]*?)\s*\]")
Row = dict[str, Any]


@dataclass(frozen=True)
class Reading:
    """Rows in the order written, and a sentence for each line that is none."""

    rows: tuple[Row, ...]
    problems: tuple[str, ...] = ()


def read_sysctl(text: str) -> Reading:
    """Lines such as "kernel.pid_max = 4194303"; a later line of the same name wins."""
    return _gathered(_row({"kind": SYSCTL}, line, number) for number, line in _lines(text))


def read_ceph(text: str) -> Reading:
    """A ceph.conf, whole or a piece of it. Lines before any heading belong to [global]."""
    return _gathered(_ceph_rows(text))


def _ceph_rows(text: str) -> Iterator[Row | str]:
    section = "global"
    for number, line in _lines(text):
        if heading := _HEADING.fullmatch(line):
            section = heading.group(1)
        else:
            yield _row({"kind": CEPH, "section": section}, line, number)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines without comments, blank ones left out, continued ones joined (a backslash at
    the end: Ceph's configuration manual)."""
    joined = re.sub(r"\\\r?\n", " ", text[:MOST_CHARACTERS])
    for number, line in enumerate(joined.splitlines(), 1):
        plain = _without_comment(line)
        if plain:
            yield number, plain


def _without_comment(line: str) -> str:
    head, quote, tail = line.partition('"')
    if quote and not _COMMENT.search(head):
        inside, _quote, _rest = tail.partition('"')
        return f'{head}"{inside}"'.strip()
    return _COMMENT.sub("", line).strip()


def _row(start: Row, line: str, number: int) -> Row | str:
    name, equals, value = line.partition("=")
    text = _("Line %(number)d is left out: %(why)s")
    if not equals:
        return text % {"number": number, "why": _("it has no “name = value”.")}
    raw = value.strip()
    value = raw[1:-1] if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'" else raw
    try:
        return free_row({**start, "name": name.strip(), "value": value})
    except ValueError as error:
        return text % {"number": number, "why": error}


def _gathered(found: Iterable[Row | str]) -> Reading:
    rows: dict[str, Row] = {}
    problems: list[str] = []
    for one in found:
        if isinstance(one, str):
            problems.append(one)
        elif len(rows) < MOST_ROWS:
            rows[free_key(one)] = one
    if len(rows) == MOST_ROWS:
        problems.append(_("A profile has at most %d settings of a kind.") % MOST_ROWS)
    return Reading(tuple(rows.values()), tuple(problems))


def write_sysctl(rows: Iterable[Mapping[str, Any]]) -> str:
    """The kernel settings among the rows as lines that `read_sysctl` reads."""
    return "\n".join(f"{row['name']} = {row['value']}" for row in rows if row["kind"] == SYSCTL)


def write_ceph(rows: Iterable[Mapping[str, Any]]) -> str:
    """The options of Ceph among the rows as sections that `read_ceph` reads."""
    sections: dict[str, list[str]] = {}
    for row in rows:
        if row["kind"] == CEPH:
            sections.setdefault(row["section"], []).append(f"{row['name']} = {_quoted(row)}")
    return "\n\n".join("\n".join([f"[{name}]", *lines]) for name, lines in sections.items())


def _quoted(row: Mapping[str, Any]) -> str:
    value = str(row["value"])
    return f'"{value}"' if re.search(r"[#;]", value) else value
