"""ssh_config(5): hosts without patterns, with the options that say how to reach them."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.rows import (
    MAX_HOSTS,
    HostList,
    HostRow,
    ListError,
    short,
    too_many_text,
)

COLUMNS = {"hostname": "address", "port": "port", "user": "user", "proxyjump": "jump"}
_LINE = re.compile(r"([A-Za-z]+)(?:\s*=\s*|\s+)(.*)")
_WORD = re.compile(r'"([^"]*)"|(\S+)')
MAX_BLOCKS = 2000


@dataclass
class Block:
    """The options below one Host line; None as patterns: a Match, which is not evaluated."""

    line: int
    patterns: list[str] | None
    options: dict[str, str] = field(default_factory=dict)

    def applies(self, name: str) -> bool:
        if self.patterns is None:
            return False
        excluded = (one[1:] for one in self.patterns if one.startswith("!"))
        if any(_matches(name, one) for one in excluded):
            return False
        return any(_matches(name, one) for one in self.patterns if one[0] != "!")


def _matches(name: str, pattern: str) -> bool:
    """Compare a name with a pattern, in which only * and ? are wildcards."""
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def read_ssh_config(text: str) -> HostList:
    """Return the hosts that Host lines name without a pattern.

    The first value of an option counts, as in ssh. Raises: ListError.
    """
    blocks, notes = _blocks(text)
    rows: dict[str, HostRow] = {}
    for block in blocks:
        for name in block.patterns or ():
            if not any(letter in name for letter in "*?!"):
                rows.setdefault(name, HostRow(block.line, name))
        if len(rows) > MAX_HOSTS:
            raise ListError(too_many_text())
    # A block with one plain name applies to that name alone: no need to compare it with all.
    wide = [(index, one) for index, one in enumerate(blocks) if _is_wide(one)]
    exact: dict[str, list[tuple[int, Block]]] = {}
    for index, one in enumerate(blocks):
        for name in () if _is_wide(one) else one.patterns or ():
            exact.setdefault(name, []).append((index, one))
    for row in rows.values():
        applying = [*exact.get(row.name, ()), *(one for one in wide if one[1].applies(row.name))]
        _fill(row, [one for _index, one in sorted(applying, key=lambda pair: pair[0])])
    return HostList("ssh_config", list(rows.values()), notes)


def _is_wide(block: Block) -> bool:
    return any(letter in name for name in block.patterns or () for letter in "*?!")


def _fill(row: HostRow, blocks: list[Block]) -> None:
    options: dict[str, str] = {}
    for block in blocks:
        options = block.options | options
    for option, column in COLUMNS.items():
        value = options.get(option)
        if option == "hostname" and value:
            value = value.replace("%h", row.name)
            if "%" in value.partition("%%")[0]:
                row.errors.append(_("HostName has a token that only ssh expands."))
                continue
        if option == "proxyjump" and value in ("none", row.name):
            continue  # "Host *" names the jump host for itself too
        row.set_value(column, value)
    if options.get("proxycommand", "none").lower() != "none":
        row.errors.append(_("It has a ProxyCommand, which benchlab does not run. Use ProxyJump."))


def _blocks(text: str) -> tuple[list[Block], list[str]]:
    blocks = [Block(0, ["*"])]
    notes: list[str] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        match = _LINE.fullmatch(line)
        if match is None:
            if line and not line.startswith("#"):
                notes.append(_unused(number, raw))
            continue
        option, words = match[1].lower(), _words(match[2])
        if option == "host":
            blocks.append(Block(number, words))
        elif option == "match":
            blocks.append(Block(number, None))
            notes.append(_("Line %(line)d: a Match is not evaluated.") % {"line": number})
        elif option == "include":
            notes.append(
                _("Line %(line)d: no file is included. Paste its content.") % {"line": number}
            )
        else:
            blocks[-1].options.setdefault(option, next(iter(words), ""))
        if len(blocks) > MAX_BLOCKS:
            raise ListError(too_many_text())
    return blocks, notes[:20]


def _words(text: str) -> list[str]:
    """Return the words of a line without quotes; a word that begins with # begins a comment."""
    words: list[str] = []
    for match in _WORD.finditer(text):
        if match[0].startswith("#"):
            break
        words.append(match[1] if match[2] is None else match[2])
    return [word for word in words if word]


def _unused(number: int, line: str) -> str:
    return _("Line %(line)d is not used: “%(text)s”.") % {"line": number, "text": short(line)}
