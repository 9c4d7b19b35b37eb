"""Workload labels as lists of typed parts; a page may omit or add parts.

All tools and origins share one form: operation, bytes per operation, operations in flight ("random
read 4 KiB, QD 32"; "write 4 MiB x16"). Unusual conditions follow: buffered, an address space
smaller than the disk, another than the usual engine, no time limit. Parts are joined only for
display; labels are never parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from apps.tools.fields import Part
from apps.tools.messages import TranslatableMessage, as_message, message
from apps.tools.param_values import format_size
from apps.tools.values import Parameters

# Parameters with the operation in outputs of tests that no plan has.
MAX_DIGITS = 4
OPERATIONS = ("rw", "operation", "mode", "direction")
BESIDE_KEY = "beside_key"
"""Key of the test during which devices were recorded: part of a workload, not of its label."""


def joined(parts: Iterable[Part], localize: Callable[[str], str] = str) -> str:
    """Return the label: "random read 4 KiB, QD 64". `localize`: translates a part's message."""
    text = ""
    for part in parts:
        separator = " " if part.close else ", "
        text += separator * bool(text) + localize(part.text)
    return text


def joined_message(parts: Iterable[Part]) -> TranslatableMessage:
    """Return the label as one message, to be a value of another one."""
    template, values = "", {}
    for number, part in enumerate(parts):
        template += (" " if part.close else ", ") * bool(template) + f"%(part{number})s"
        values[f"part{number}"] = part.text
    return TranslatableMessage(template, "", values)


def operation_part(known: Parameters, words: Mapping[str, str], *names: str) -> Iterator[Part]:
    """Yield the operation from the first of these parameters that is known.

    The parameters of any tool's output follow `names`. `words`: value -> text; other values are
    shown with spaces for underscores.
    """
    for name in (*names, *OPERATIONS):
        if value := known.get(name):
            text = words.get(str(value), str(value).replace("_", " "))
            yield Part(name, value, as_message(text))
            return


def size_part(
    known: Parameters, name: str, template: str = "%(size)s", *, close: bool = False
) -> Iterator[Part]:
    """Yield a number of bytes if it is known and set."""
    value = known.get(name)
    if value is not None and value is not False:
        is_number = isinstance(value, int) and value is not True
        size = _short_size(int(value)) if is_number else str(value)
        yield Part(name, value, message(template, size=size), close)


def _short_size(size: int) -> str:
    """Return the size as `format_size` does, in a larger unit if it has too many digits.

    "1.144 GiB" rather than "1200000 KiB".
    """
    exact = format_size(size)
    number, _, unit = exact.partition(" ")
    units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
    power = units.index(unit)
    value = float(number)
    while len(number) > MAX_DIGITS and value >= 1024 and power < len(units) - 1:
        value, power = value / 1024, power + 1
    return exact if power == units.index(unit) else f"{value:.4g} {units[power]}"


def several(known: Parameters, name: str, template: str) -> Iterator[Part]:
    """Yield a count above one: "4 jobs" by "%(count)s jobs"."""
    value = known.get(name)
    if value is not None and value != 1:
        yield Part(name, value, message(template, count=value))


def times(known: Parameters, name: str) -> Iterator[Part]:
    """Yield the operations in flight of a tool without queue depth: "x16"."""
    if known.get(name) is not None:
        yield Part(name, known[name], f"x{known[name]}", close=True)


def flags(known: Parameters, **words: str) -> Iterator[Part]:
    """Yield the text of each flag that is set."""
    for name, text in words.items():
        if known.get(name) is True:
            yield Part(name, True, as_message(text))


def buffered(known: Parameters, name: str = "direct") -> Iterator[Part]:
    """Yield "buffered" if a test is known to use the page cache."""
    if known.get(name) is False:
        yield Part(name, False, message("buffered"))


def known_parts(known: Parameters, sizes: Container[str]) -> Iterator[Part]:
    """Yield all known parameters of a test that no plan has: "randread, bs 4 KiB, no direct".

    `sizes`: the parameters in bytes (`registry.size_params`).
    """
    for name, value in known.items():
        if name == BESIDE_KEY:
            continue
        if name in OPERATIONS:
            yield Part(name, value, str(value))
        elif isinstance(value, bool):
            yield Part(name, value, name if value else f"no {name}")
        elif name in sizes and isinstance(value, int):
            yield Part(name, value, f"{name} {format_size(value)}")
        else:
            yield Part(name, value, f"{name} {value}")
