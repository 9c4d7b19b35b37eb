"""A pseudo-locale: every sentence that goes through gettext stands in marks. What a page shows
outside of marks, and is no data, no translator would ever see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils import translation

from apps.common.domain.preferences import zones
from apps.tools.messages import TranslatableMessage
from apps.tools.registry import TOOLS
from apps.tuning.domain.setting_catalog import SETTINGS

OPEN, CLOSE = (
    "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}",
    "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}",
)
# Nothing of these is read as a sentence.
SILENT = ("script", "style", "code", "pre", "textarea", "svg", "template")
SAID = ("title", "aria-label", "placeholder", "alt", "data-confirm")
VOID = ("input", "br", "hr", "img", "meta", "link", "source", "wbr", "col")
# Names and signs that are the same in every language.
SIGNS = (
    "host,serial node01,S4EVNX0M123456",
    "pattern,rated_terabytes_written,source",
    "benchlab",
    "0.2.0.dev0",
    "SHA-256",
    "UTC",
    "IOPS",
    "RAID",
    "KiB",
    "MiB",
    "GiB",
    "TiB",
    "iperf3 and",
    "PDF",
    "JSON",
    "node[01-20].rack2",
)
WORD = re.compile(r"[A-Za-z]{3,}")


def marked(text: str) -> str:
    """A sentence as the pseudo-locale translates it."""
    return f"{OPEN}{text}{CLOSE}" if text else text


def speak(patch: pytest.MonkeyPatch) -> None:
    """From here on gettext answers in marks."""
    spoken = translation._trans  # type: ignore[attr-defined]  # not in the stubs

    def plural(one: str, many: str, number: float) -> str:
        return marked(one if number == 1 else many)

    patch.setattr(spoken, "gettext", marked, raising=False)
    patch.setattr(spoken, "ngettext", plural, raising=False)
    patch.setattr(spoken, "pgettext", lambda _context, text: marked(text), raising=False)
    patch.setattr(
        spoken,
        "npgettext",
        lambda _context, one, many, number: plural(one, many, number),
        raising=False,
    )


class Seen(HTMLParser):
    """The texts a page shows: its texts, and those of attributes that are read out or shown."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent: list[str] = []
        self._text = ""
        self.feed(html)
        self.close()
        self._end()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT or self._silent:
            self._silent += [] if tag in VOID else [tag]
        self.texts += [value for name, value in attrs if name in SAID and value]
        if tag in BLOCKS:
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag not in VOID:
            self._silent.pop()
        if tag in BLOCKS:
            self._end()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._text += data

    def _end(self) -> None:
        """A sentence may have links and emphasis inside: its text ends with its block."""
        self.texts += [self._text] if self._text.strip() else []
        self._text = ""


BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "body",
        "button",
        "caption",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "head",
        "html",
        "label",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "option",
        "p",
        "section",
        "select",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ]
)


def outside(text: str) -> str:
    """The text without what stands in marks."""
    depth, kept = 0, []
    for sign in text:
        depth += (sign == OPEN) - (sign == CLOSE)
        kept.append(" " if depth or sign == CLOSE else sign)
    return "".join(kept)


def known_words() -> list[str]:
    """Words that need no translation, the longest first: every text of the database, also inside of
    JSON, the names of tools, what their parameters may be, time zones, and signs.
    """
    found = {*SIGNS, *(name for _code, name in settings.LANGUAGES), *schedulers()}
    found |= {name.replace("_", " ") for name in zones()}
    for room in TOOLS.values():
        found |= {room.name, room.label, *room.operations, *room.programs}
        fields = room.params.fields() if room.params else {}
        found.update(choice for field in fields.values() for choice in field.choices)
        # Parameters that a form finds by search are called as their tool calls them.
        found.update(name for name, field in fields.items() if field.advanced)
    for model in apps.get_models():
        names = [f.attname for f in model._meta.concrete_fields if _is_text(f)]
        for row in model._default_manager.values_list(*names) if names else ():
            found.update(text for value in row for text in texts(value))
    found |= {path.rpartition("/")[2] for path in found if path.startswith("/dev/")}
    return sorted((text for text in found if WORD.search(text)), key=len, reverse=True)


def schedulers() -> list[str]:
    """The kernel's names of I/O schedulers, of CPU governors, and of what file systems have."""
    return [
        name
        for setting in ("scheduler", "scaling_governor", "filesystem", "fs_checksum")
        for name, _label in SETTINGS[setting].choices
    ]


def _is_text(field: models.Field[object, object]) -> bool:
    return not isinstance(field, models.BinaryField | models.FileField)


def texts(value: object) -> Iterator[str]:
    """The texts in a value of a row."""
    if isinstance(value, TranslatableMessage):
        # Its parts are data, its message is a translator's.
        yield from texts(list(value.values.values()))
    elif isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for pair in value.items() for one in pair for text in texts(one))
    elif isinstance(value, list | tuple):
        yield from (text for one in value for text in texts(one))
    elif hasattr(value, "__struct_fields__"):
        yield from texts([getattr(value, name) for name in value.__struct_fields__])


def unsaid(html: str, data: list[str]) -> list[str]:
    """Words outside of marks that are no data, each in the text it stands in."""
    found = []
    for text in Seen(html).texts:
        rest = " ".join(outside(text).split())
        if not WORD.search(rest):
            continue
        for known in data:
            if known in rest:
                rest = rest.replace(known, " ")
        if WORD.search(rest):
            found.append(" ".join(text.split()))
    return found
