"""Options of Ceph as people write them: sections of a ceph.conf.

What is understood is kept, and of every other line it is said why it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.tuning.domain.custom_settings import MOST_SETTINGS, free_setting
from apps.tuning.schemas.settings import CEPH, CEPH_CONF, Setting, SettingKindName, Settings

MOST_CHARACTERS = 100_000
LEFT_OUT = gettext_noop("Line %(number)d is left out: %(why)s")
_COMMENT = re.compile(r"(?:^|\s)[#;].*")
_HEADING = re.compile(r"\[\s*([^\]]*?)\s*\]")


@dataclass(frozen=True)
class ParsedSettings:
    """Settings in the order written, and a sentence for each line that is none."""

    settings: Settings
    problems: tuple[str, ...] = ()


def read_ceph(text: str) -> ParsedSettings:
    """A ceph.conf, whole or a piece of it. Lines before any heading belong to [global]."""
    return gathered(_ceph_settings(text, CEPH, "global"))


def read_ceph_conf(text: str) -> ParsedSettings:
    """The same for options of OSDs that need a restart; lines before any heading are for [osd]."""
    return gathered(_ceph_settings(text, CEPH_CONF, "osd"))


def _ceph_settings(text: str, kind: SettingKindName, section: str) -> Iterator[Setting | str]:
    for number, line in lines_of(text):
        if heading := _HEADING.fullmatch(line):
            section = heading.group(1)
        else:
            yield _setting(kind, section, line, number)


def lines_of(text: str, *, quoted: bool = True) -> Iterator[tuple[int, str]]:
    """Numbered lines without comments, blank ones left out, continued ones joined (a backslash at
    the end: Ceph's configuration manual).
    """
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


def _setting(kind: SettingKindName, section: str, line: str, number: int) -> Setting | str:
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


def gathered(found: Iterable[Setting | str]) -> ParsedSettings:
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
    return ParsedSettings(tuple(settings.values()), tuple(problems))


def by_restart(settings: Settings, slow: frozenset[str]) -> tuple[Settings, Settings]:
    """Options of Ceph that are set in the running cluster, and those of `slow`, which need a
    restart, as options of the OSDs' ceph.conf.
    """
    now, later = list[Setting](), list[Setting]()
    for one in settings:
        other = _in_the_file(one) if one.name in slow else None
        later += [other] if other else []
        now += [] if other else [one]
    return tuple(now), tuple(later)


def _in_the_file(setting: Setting) -> Setting | None:
    """An option as one of the OSDs' ceph.conf; None where it is for other daemons too."""
    try:
        return free_setting(CEPH_CONF, setting.name, setting.value, setting.section)
    except ValueError:
        return None


def write_ceph(settings: Iterable[Setting], kind: SettingKindName = CEPH) -> str:
    """The options of Ceph as sections that `read_ceph` reads, or `read_ceph_conf`."""
    sections: dict[str, list[str]] = {}
    for one in settings:
        if one.kind == kind:
            sections.setdefault(one.section, []).append(f"{one.name} = {_quoted(one)}")
    return "\n\n".join("\n".join([f"[{name}]", *lines]) for name, lines in sections.items())


def _quoted(setting: Setting) -> str:
    value = str(setting.value)
    return f'"{value}"' if re.search(r"[#;]", value) else value
