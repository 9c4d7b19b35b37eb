"""A workload's label as a list of typed parts, so that a page can leave parts out or add some. A
label is joined once, to be shown; nobody takes one apart.

One form serves every tool and origin: operation, bytes of one operation, what is in flight
("random read 4 KiB, QD 32"; "write 4 MiB x16"), then only what no reader may miss: buffered, an
address space that is not the whole disk, an engine that is not the usual one, no time limit.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from apps.tools.base import Part
from apps.tools.params import format_size
from apps.tools.values import Parameters

# Names of operations in what others measured with parameters no plan has.
MOST_DIGITS = 4
OPERATIONS = ("rw", "operation", "mode", "direction")
BESIDE_KEY = "beside_key"
"""The key of the test that devices were recorded beside: part of a workload, not of its label."""


def joined(parts: Iterable[Part]) -> str:
    """The label: "random read 4 KiB, QD 64"."""
    text = ""
    for part in parts:
        glue = " " if part.close else ", "
        text += glue * bool(text) + part.text
    return text


def operation_part(known: Parameters, words: Mapping[str, str], *names: str) -> Iterator[Part]:
    """The operation, by the first of these parameters that is known, or as any tool's output names
    it. `words`: the words for a value; without one its own, spaced.
    """
    for name in (*names, *OPERATIONS):
        if value := known.get(name):
            yield Part(name, value, words.get(str(value), str(value).replace("_", " ")))
            return


def size_part(
    known: Parameters, name: str, words: str = "{size}", *, close: bool = False
) -> Iterator[Part]:
    """A number of bytes, where it is known and set."""
    value = known.get(name)
    if value is not None and value is not False:
        is_number = isinstance(value, int) and value is not True
        size = _short_size(int(value)) if is_number else str(value)
        yield Part(name, value, words.format(size=size), close)


def _short_size(size: int) -> str:
    """Bytes as `format_size` has them, rounded in a larger unit where that has many digits:
    "1.144 GiB" rather than "1200000 KiB".
    """
    exact = format_size(size)
    number, _, unit = exact.partition(" ")
    units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
    power = units.index(unit)
    value = float(number)
    while len(number) > MOST_DIGITS and value >= 1024 and power < len(units) - 1:
        value, power = value / 1024, power + 1
    return exact if power == units.index(unit) else f"{value:.4g} {units[power]}"


def several(known: Parameters, name: str, many: str) -> Iterator[Part]:
    """A number of things above one: "4 jobs"."""
    value = known.get(name)
    if value is not None and value != 1:
        yield Part(name, value, f"{value} {many}")


def times(known: Parameters, name: str) -> Iterator[Part]:
    """Operations in flight of a tool that has no queue depth: "x16"."""
    if known.get(name) is not None:
        yield Part(name, known[name], f"x{known[name]}", close=True)


def flags(known: Parameters, **words: str) -> Iterator[Part]:
    """The flags that are set, each in its words."""
    for name, text in words.items():
        if known.get(name) is True:
            yield Part(name, True, text)


def buffered(known: Parameters, name: str = "direct") -> Iterator[Part]:
    """That a test goes through the page cache, where that is known."""
    if known.get(name) is False:
        yield Part(name, False, "buffered")


def known_parts(known: Parameters, sizes: Container[str]) -> Iterator[Part]:
    """Whatever is known of a test that no plan could ask for: "randread, bs 4 KiB, no direct".
    `sizes`: the parameters that are bytes (`registry.size_params`).
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
