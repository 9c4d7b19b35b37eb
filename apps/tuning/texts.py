"""Options of Ceph as people write them: sections of a ceph.conf.

What is understood is kept, and of every other line it is said why it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from .contract import CEPH, Kind, Setting, Settings
from .free import MOST_SETTINGS, free_setting

MOST_CHARACTERS = 100_000
LEFT_OUT = gettext_noop("Line %(number)d is left out: %(why)s")
_COMMENT = re.compile(r"(?:^|\s)[#;].*")
_HEADING = re.compile(r"\[\s*([^\]]*?)\s*\]")


@dataclass(frozen=True)
class TextRead:
    """Settings in the order written, and a sentence for each line that is none."""

    settings: Settings
    problems: tuple[str, ...] = ()


def read_ceph(text: str) -> TextRead:
    """A ceph.conf, whole or a piece of it. Lines before any heading belong to [global]."""
    return gathered(_ceph_settings(text))


def _ceph_settings(text: str) -> Iterator[Setting | str]:
    section = "global"
    for number, line in lines_of(text):
        if heading := _HEADING.fullmatch(line):
            section = heading.group(1)
        else:
            yield _setting(CEPH, section, line, number)


def lines_of(text: str, *, quoted: bool = True) -> Iterator[tuple[int, str]]:
    """Numbered lines without comments, blank ones left out, continued ones joined (a backslash at
    the end: Ceph's configuration manual)."""
    joined = re.sub(r"\\\r?\n", " ", text[:MOST_CHARACTERS])
    for number, line in enumerate(joined.splitlines(), 1):
        plain = _without_comment(line) if quoted else _COMMENT.sub("", line).strip()
        if plain:
            yield number, plain


def _without_comment(line: str) -> str:
    head, quote, tail = line.partition('"')
    if quote and not _COMMENT.search(head):
        inside, _quote, _rest = tail.partition('"')
        return f'{head}"{inside}"'.strip()
    return _COMMENT.sub("", line).strip()


def _setting(kind: Kind, section: str, line: str, number: int) -> Setting | str:
    name, equals, value = line.partition("=")
    text = _(LEFT_OUT)
    if not equals:
        return text % {"number": number, "why": _("it has no “name = value”.")}
    raw = value.strip()
    value = raw[1:-1] if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'" else raw
    try:
        return free_setting(kind, name.strip(), value, section)
    except ValueError as error:
        return text % {"number": number, "why": error}


def gathered(found: Iterable[Setting | str]) -> TextRead:
    """The settings, of those with one name the last, and the sentences."""
    settings: dict[str, Setting] = {}
    problems: list[str] = []
    for one in found:
        if isinstance(one, str):
            problems.append(one)
        elif len(settings) < MOST_SETTINGS:
            settings[one.key] = one
    if len(settings) == MOST_SETTINGS:
        problems.append(_("A profile has at most %d settings of a kind.") % MOST_SETTINGS)
    return TextRead(tuple(settings.values()), tuple(problems))


def write_ceph(settings: Iterable[Setting]) -> str:
    """The options of Ceph as sections that `read_ceph` reads."""
    sections: dict[str, list[str]] = {}
    for one in settings:
        if one.kind == CEPH:
            sections.setdefault(one.section, []).append(f"{one.name} = {_quoted(one)}")
    return "\n\n".join("\n".join([f"[{name}]", *lines]) for name, lines in sections.items())


def _quoted(setting: Setting) -> str:
    value = str(setting.value)
    return f'"{value}"' if re.search(r"[#;]", value) else value
