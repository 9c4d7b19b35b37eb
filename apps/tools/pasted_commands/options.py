"""Options of a command line, parsed as by getopt_long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apps.tools.pasted_commands.call import CommandNote


@dataclass(frozen=True)
class Given:
    """Option, or a word without one (`name` is empty).

    `name` is the canonical name for any of the option's names; `value` is None if absent.
    """

    name: str
    value: str | None
    written: str


@dataclass(frozen=True)
class OptionNames:
    """Options of a program: each name, with dashes, -> canonical name.

    `with_value`: canonical names of options that take a value.
    """

    canonical: Mapping[str, str]
    with_value: frozenset[str]


@dataclass
class Collected:
    """Options of a call by canonical name, other words, unknown options, and notes.

    The notes name options that a step leaves out.
    """

    options: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    notes: list[CommandNote] = field(default_factory=list)


def collected(words: Sequence[str], names: OptionNames, left: Mapping[str, str]) -> Collected:
    """Return the options of a call, the last value of each.

    `left`: canonical name -> reason why a step leaves it out.
    """
    result = Collected()
    valid = frozenset(names.canonical.values())
    for each in given(words, names):
        if not each.name:
            result.words.append(each.written)
        elif each.name not in valid:
            result.unknown.append(each.written)
        else:
            result.options[each.name] = each.value or ""
            if each.name in left:
                result.notes.append(CommandNote("left", each.written, left[each.name]))
    return result


def names_of(table: Mapping[str, str], with_value: str) -> OptionNames:
    """Return option names from a table.

    `table`: canonical name -> all names as written, such as "-t --time"; `with_value`: canonical
    names.
    """
    canonical = {name: key for key, names in table.items() for name in names.split()}
    return OptionNames(canonical, frozenset(with_value.split()))


def given(words: Sequence[str], names: OptionNames) -> Iterator[Given]:
    """Yield the options in order; an unknown option keeps its name as written."""
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
    option = names.canonical.get(name, name)
    if mark:
        return Given(option, value, word)
    if option in names.with_value and rest:
        value = rest.pop()
        return Given(option, value, f"{word} {value}")
    return Given(option, None, word)


def _short(word: str, rest: list[str], names: OptionNames) -> Iterator[Given]:
    """Yield the options of `-uR`, `-P4`, `-P 4`, and of `-name` with a lost dash.

    Word processors replace two dashes by one.
    """
    head = word.partition("=")[0]
    if len(head) > 2 and f"-{word}".partition("=")[0] in names.canonical:
        yield _long(f"-{word}", rest, names)
        return
    for index, letter in enumerate(word[1:], 1):
        option = names.canonical.get(f"-{letter}", f"-{letter}")
        if option not in names.with_value:
            yield Given(option, None, f"-{letter}")
            continue
        value = word[index + 1 :].removeprefix("=") or (rest.pop() if rest else "")
        yield Given(option, value, f"-{letter} {value}")
        return
