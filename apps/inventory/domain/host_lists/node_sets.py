"""Node sets as ClusterShell, Slurm and pdsh write them: `node[01-20,35].rack2,!node07`.

The hosts are counted before any name is made, so that a range of a billion costs nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice, product

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.rows import (
    MAX_HOSTS,
    MAX_MENTIONS,
    HostList,
    HostRow,
    ListError,
    short,
    too_many_mentions_text,
    too_many_text,
)

MAX_DIGITS = 9
_RANGE = re.compile(r"(\d{1,20})(?:-(\d{1,20})(?:/(\d{1,9}))?)?")
_LETTERS = re.compile(r"[A-Za-z0-9._-]+")
_PART = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")


class NodeSetError(ValueError):
    """A set that cannot be expanded; the message is for the user."""


@dataclass(frozen=True)
class NumberRange:
    """The numbers of `01-20/2`, padded to `width` digits."""

    first: int
    last: int
    step: int
    width: int

    def __len__(self) -> int:
        return (self.last - self.first) // self.step + 1

    def texts(self) -> list[str]:
        return [
            f"{number:0{self.width}d}" for number in range(self.first, self.last + 1, self.step)
        ]


Parts = list[list[NumberRange | str]]
"""Of a set, from left to right: each part is one of these."""


def read_node_sets(text: str) -> HostList:
    """Return the hosts of node sets, separated by commas, spaces and lines.

    A line with an unreadable set gives no host: what its other words mean is not certain. All sets
    are counted before a line is expanded, excluded ones too. Raises: ListError.
    """
    rows: dict[str, HostRow] = {}
    broken: list[HostRow] = []
    mentions = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0]
        try:
            sets, mentions = _sets(line, mentions)
        except NodeSetError as error:
            broken.append(HostRow(number, short(line), errors=[str(error)]))
            continue
        for excluded, parts in sets:
            for name in _names(parts):
                if excluded:
                    rows.pop(name, None)
                else:
                    rows.setdefault(name, HostRow(number, name))
            if len(rows) + len(broken) > MAX_HOSTS:
                raise ListError(too_many_text())
    return HostList("node_set", sorted([*rows.values(), *broken], key=lambda row: row.line))


def _sets(line: str, mentions: int) -> tuple[list[tuple[bool, Parts]], int]:
    """Return the sets of a line, True for an excluded one, and how many hosts were named so far.

    Raises: NodeSetError; ListError above the limit.
    """
    sets: list[tuple[bool, Parts]] = []
    for excluded, word in _words(line):
        count, parts = _counted(word)
        mentions += count
        if mentions > MAX_MENTIONS:
            raise ListError(too_many_mentions_text())
        sets.append((excluded, parts))
    return sets, mentions


def expand(word: str) -> list[str]:
    """Return the names of one set without commas outside of its brackets.

    Raises: NodeSetError.
    """
    return _names(_counted(word)[1])


def _counted(word: str) -> tuple[int, Parts]:
    """Return how many names a set has, and its parts. Raises: NodeSetError."""
    parts = _parts(word)
    count = 1
    for part in parts:
        count *= sum(len(one) if isinstance(one, NumberRange) else 1 for one in part)
        if count > MAX_HOSTS:
            raise NodeSetError(too_many_text(count))
    return count, parts


def _names(parts: Parts) -> list[str]:
    choices = [
        [text for one in part for text in (one.texts() if isinstance(one, NumberRange) else [one])]
        for part in parts
    ]
    return ["".join(texts) for texts in islice(product(*choices), MAX_HOSTS)]


def _parts(word: str) -> Parts:
    if word.startswith("@"):
        raise NodeSetError(_("A group is known on its own machine only. Expand it there."))
    if word.count("[") != word.count("]"):
        raise NodeSetError(_("A bracket is not closed."))
    parts: Parts = []
    end = 0
    for match in _PART.finditer(word):
        if match.start() != end:
            raise NodeSetError(_("Brackets inside of brackets mean nothing here."))
        end = match.end()
        inside, outside = match.groups()
        if outside is None:
            parts.append([_range(piece) for piece in inside.split(",")])
        elif _LETTERS.fullmatch(outside):
            parts.append([outside])
        else:
            raise NodeSetError(
                _("A name has letters, digits, dot, dash and underscore. Ranges stand in brackets.")
            )
    if end != len(word):
        raise NodeSetError(_("Brackets inside of brackets mean nothing here."))
    return parts


def _range(piece: str) -> NumberRange:
    match = _RANGE.fullmatch(piece.strip())
    if match is None:
        raise NodeSetError(
            _("“%(range)s” is no range of numbers such as 01-20.") % {"range": short(piece)}
        )
    first, last, step = match[1], match[2] or match[1], int(match[3] or 1)
    if max(len(first), len(last)) > MAX_DIGITS:
        raise NodeSetError(_("A number has at most %(digits)d digits.") % {"digits": MAX_DIGITS})
    padded = first.startswith("0") and len(first) > 1
    if (padded or (last.startswith("0") and len(last) > 1)) and len(first) != len(last):
        raise NodeSetError(
            _("“%(range)s” has numbers of two widths, so the padding is not clear.")
            % {"range": short(piece)}
        )
    if int(last) < int(first) or step < 1:
        raise NodeSetError(_("“%(range)s” ends before it starts.") % {"range": short(piece)})
    return NumberRange(int(first), int(last), step, len(first) if padded else 1)


def _words(line: str) -> list[tuple[bool, str]]:
    """Return the sets of a line; True for one that is excluded with “!”."""
    words: list[tuple[bool, str]] = []
    depth, word, excluded = 0, "", False
    for letter in f"{line} ":
        depth += {"[": 1, "]": -1}.get(letter, 0)
        ends = depth <= 0 and (letter.isspace() or letter in ",!")
        if not ends:
            word += letter
            continue
        if word:
            words.append((excluded, word))
            excluded = False
        word = ""
        if letter == "!":
            excluded = True
        depth = max(depth, 0)
    if word.strip():  # an unclosed bracket swallowed the rest of the line
        words.append((excluded, word.strip()))
    return words


def fold(names: list[str]) -> str:
    """Return names as node sets, for commands that take them: `node[01-03],other`."""
    groups: dict[tuple[str, str, int], list[int]] = {}
    others: list[str] = []
    for name in names:
        match = re.fullmatch(r"([A-Za-z][A-Za-z0-9_-]*?)(\d{1,9})((?:\.[A-Za-z0-9._-]+)?)", name)
        if match is None:
            others.append(name)
            continue
        digits = match[2]
        width = len(digits) if digits.startswith("0") else 0
        groups.setdefault((match[1], match[3], width), []).append(int(digits))
    folded = [
        f"{head}{_ranges(sorted(set(numbers)), width)}{tail}"
        for (head, tail, width), numbers in groups.items()
    ]
    return ",".join([*folded, *others])


def _ranges(numbers: list[int], width: int) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        # A padded range must not grow wider than its first number: 08-12 is, 8-012 is not.
        if runs and runs[-1][-1] == number - 1 and (not width or len(str(number)) <= width):
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [
        f"{run[0]:0{width}d}" if len(run) == 1 else f"{run[0]:0{width}d}-{run[-1]:0{width}d}"
        for run in runs
    ]
    return texts[0] if len(runs) == 1 and len(runs[0]) == 1 else f"[{','.join(texts)}]"
