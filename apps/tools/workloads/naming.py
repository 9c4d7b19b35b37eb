"""A workload's label as a list of typed parts, so that a page can leave parts out or add some. A
label is joined once, to be shown; nobody takes one apart.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from apps.tools.base import Part
from apps.tools.params import format_size
from apps.tools.values import Parameters

# Names of operations in what others measured with parameters no plan has.
OPERATIONS = ("rw", "operation", "mode", "direction")


def joined(parts: Iterable[Part]) -> str:
    """The label: "randread 4 KiB, depth 64, 1 job"."""
    text = ""
    for part in parts:
        glue = " " if part.close else ", "
        text += glue * bool(text) + part.text
    return text


def counted(name: str, number: int, one: str, many: str) -> Part:
    """A number of things: "1 job", "4 jobs"."""
    return Part(name, number, f"{number} {one if number == 1 else many}")


def flags(params: object, **words: str) -> Iterator[Part]:
    """The flags that are set, each in its words."""
    for name, text in words.items():
        if getattr(params, name):
            yield Part(name, True, text)


def known_parts(known: Parameters, sizes: Container[str]) -> Iterator[Part]:
    """Whatever is known of a test that no plan could ask for: "randread, bs 4 KiB, no direct".
    `sizes`: the parameters that are bytes (`registry.size_params`)."""
    for name, value in known.items():
        if name in OPERATIONS:
            yield Part(name, value, str(value))
        elif isinstance(value, bool):
            yield Part(name, value, name if value else f"no {name}")
        elif name in sizes and isinstance(value, int):
            yield Part(name, value, f"{name} {format_size(value)}")
        else:
            yield Part(name, value, f"{name} {value}")
