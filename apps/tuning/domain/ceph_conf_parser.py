"""Parse options of Ceph in sections of a ceph.conf.

Valid lines become settings; each other line gives a sentence with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.tuning.domain.custom_settings import MAX_SETTINGS, custom_setting
from apps.tuning.schemas.settings import CEPH, CEPH_CONF, Setting, SettingKindName, Settings

MAX_CHARACTERS = 100_000
GLOBAL = "global"
LEFT_OUT = gettext_noop("Line %(number)d is left out: %(why)s")
_COMMENT = re.compile(r"(?:^|\s)[#;].*")
_HEADING = re.compile(r"\[\s*([^\]]*?)\s*\]")


@dataclass(frozen=True)
class ParsedSettings:
    """Settings in the order of the text, and a sentence for each invalid line."""

    settings: Settings
    problems: tuple[str, ...] = ()


def parse_ceph(text: str) -> ParsedSettings:
    """Parse a ceph.conf or a part of it. Lines before any heading belong to [global]."""
    return collect_settings(_ceph_settings(text, CEPH, GLOBAL))


def parse_ceph_conf(text: str) -> ParsedSettings:
    """Parse options that need a restart. Lines before any heading belong to [osd]."""
    return collect_settings(_ceph_settings(text, CEPH_CONF, "osd"))


def _ceph_settings(text: str, kind: SettingKindName, section: str) -> Iterator[Setting | str]:
    for number, line in lines_of(text):
        if heading := _HEADING.fullmatch(line):
            section = heading.group(1)
        else:
            yield _setting(kind, section, line, number)


def lines_of(text: str, *, quoted: bool = True) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without comments and blank lines.

    Continued lines (a backslash at the end) are joined. Source: Ceph's configuration manual.
    """
    joined = re.sub(r"\\\r?\n", " ", text[:MAX_CHARACTERS])
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
        return custom_setting(kind, name.strip(), value, section)
    except ValueError as error:
        return text % {"number": number, "why": error}


def collect_settings(parsed_lines: Iterable[Setting | str]) -> ParsedSettings:
    """Return the settings, the last one of each name, and the sentences."""
    settings: dict[str, Setting] = {}
    problems: list[str] = []
    for one in parsed_lines:
        if isinstance(one, str):
            problems.append(one)
        elif len(settings) < MAX_SETTINGS:
            settings[one.key] = one
    if len(settings) == MAX_SETTINGS:
        problems.append(_("A profile has at most %d settings of a kind.") % MAX_SETTINGS)
    return ParsedSettings(tuple(settings.values()), tuple(problems))


def by_restart(
    settings: Settings, slow: Mapping[str, Collection[str]]
) -> tuple[Settings, Settings]:
    """Split options of Ceph into those set in the running cluster and those that need a restart.

    `slow`: options that need a restart, each with the kinds of daemons that read it; they become
    options of those daemons' ceph.conf. A section of one kind precedes [global].
    """
    runtime, restart = list[Setting](), dict[str, Setting]()
    for one in sorted(settings, key=lambda one: one.section != GLOBAL):
        restart |= {other.key: other for other in as_conf_settings(one, slow.get(one.name, ()))}
    for one in settings:
        runtime += [] if as_conf_settings(one, slow.get(one.name, ())) else [one]
    return tuple(runtime), tuple(restart.values())


def as_conf_settings(setting: Setting, kinds: Collection[str]) -> list[Setting]:
    """Return an option as one of the ceph.conf of the daemons that read it.

    None if its section is for a single daemon, or for others that do not read it.
    """
    is_general = setting.section == GLOBAL or setting.kind == CEPH_CONF
    wanted = [kind for kind in kinds if is_general or kind == setting.section]
    try:
        return [custom_setting(CEPH_CONF, setting.name, setting.value, kind) for kind in wanted]
    except ValueError:
        return []


def write_ceph(settings: Iterable[Setting], kind: SettingKindName = CEPH) -> str:
    """Format options of Ceph as sections that `parse_ceph` or `parse_ceph_conf` parses."""
    sections: dict[str, list[str]] = {}
    for one in settings:
        if one.kind == kind:
            sections.setdefault(one.section, []).append(f"{one.name} = {_quoted(one)}")
    return "\n\n".join("\n".join([f"[{name}]", *lines]) for name, lines in sections.items())


def _quoted(setting: Setting) -> str:
    value = str(setting.value)
    return f'"{value}"' if re.search(r"[#;]", value) else value
