"""Options of a command line as getopt_long reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .call import CommandNote


@dataclass(frozen=True)
class Given:
    """An option, or a word without one (`name` is empty). `name` is the option's own, whichever of
    its names was written; None stands for a value that is not there.
    """

    name: str
    value: str | None
    written: str


@dataclass(frozen=True)
class OptionNames:
    """The options of a program: each name, with its dashes, -> the option's own name.
    `with_value`: own names of those that take one.
    """

    own: Mapping[str, str]
    with_value: frozenset[str]


@dataclass
class Collected:
    """The options of a call by their own names, its other words, what the program does not have,
    and notes on the options that a step leaves out.
    """

    options: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    notes: list[CommandNote] = field(default_factory=list)


def collected(words: Sequence[str], names: OptionNames, left: Mapping[str, str]) -> Collected:
    """The options of a call, the last of each; `left`: own name -> why a step leaves it out."""
    found = Collected()
    own = frozenset(names.own.values())
    for each in given(words, names):
        if not each.name:
            found.words.append(each.written)
        elif each.name not in own:
            found.unknown.append(each.written)
        else:
            found.options[each.name] = each.value or ""
            if each.name in left:
                found.notes.append(CommandNote("left", each.written, left[each.name]))
    return found


def names_of(table: Mapping[str, str], with_value: str) -> OptionNames:
    """`table`: own name -> all names as written, such as "-t --time"; `with_value`: own names."""
    own = {name: key for key, names in table.items() for name in names.split()}
    return OptionNames(own, frozenset(with_value.split()))


def given(words: Sequence[str], names: OptionNames) -> Iterator[Given]:
    """The options in order. One that the program does not have keeps its name as written."""
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if not word.startswith("-") or word == "-" or _is_number(word):
            yield Given("", word, word)
        elif word.startswith("--"):
            yield _long(word, rest, names)
        else:
            yield from _short(word, rest, names)


def _is_number(word: str) -> bool:
    return word[1:].isdigit() and len(word) > 2


def _long(word: str, rest: list[str], names: OptionNames) -> Given:
    name, mark, value = word.partition("=")
    own = names.own.get(name, name)
    if mark:
        return Given(own, value, word)
    if own in names.with_value and rest:
        value = rest.pop()
        return Given(own, value, f"{word} {value}")
    return Given(own, None, word)


def _short(word: str, rest: list[str], names: OptionNames) -> Iterator[Given]:
    """`-uR`, `-P4`, `-P 4`; a word processor leaves one dash of two."""
    head = word.partition("=")[0]
    if len(head) > 2 and f"-{word}".partition("=")[0] in names.own:
        yield _long(f"-{word}", rest, names)
        return
    for place, letter in enumerate(word[1:], 1):
        own = names.own.get(f"-{letter}", f"-{letter}")
        if own not in names.with_value:
            yield Given(own, None, f"-{letter}")
            continue
        value = word[place + 1 :].removeprefix("=") or (rest.pop() if rest else "")
        yield Given(own, value, f"-{letter} {value}")
        return
