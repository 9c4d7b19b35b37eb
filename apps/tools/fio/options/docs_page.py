"""Generator of docs/reference/tools/fio-options.md from the table of options.

`python -m apps.tools.fio.options.docs_page > docs/reference/tools/fio-options.md`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

from apps.tools.fields import Field
from apps.tools.param_values import format_size

from .catalog import facts, version
from .excluded import LEFT, REFUSED
from .versions import versions
from .workload import GROUPS, MORE

_HEAD = """# fio's other options

Every option of fio {first} to {last} (its own lists: `fio --cmdhelp=all`, and those of its engines)
is one of three: a parameter of a step, left to benchlab, or refused with a reason. This page is
made of the table that the plugin itself uses (`apps/tools/fio/options/`); the usual parameters are
described [with the tool](fio.md#parameters).

In a step these are found by search. Not set: fio's own default. Several values make a sweep; what
may hold commas itself takes semicolons between them. Descriptions are fio {version}'s own, those of
newer options benchlab's. *Needs* names the first or last version of fio with an option. At the
launch the list of the host's own fio decides.
"""


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    yield from _HEAD.format(
        version=version(), first=versions()[0], last=versions()[-1]
    ).splitlines()
    for group in GROUPS:
        yield from (
            "",
            f"## {group}",
            "",
            "| parameter | values | what fio says |",
            "|---|---|---|",
        )
        yield from (_row(name) for name in GROUPS[group])
    yield from _reasons("Left to benchlab", "left out of what was pasted, with a sentence", LEFT)
    yield from _reasons("Refused", "what was pasted with one of them becomes no step", REFUSED)


def _row(name: str) -> str:
    return f"| `{name}` | {_values(MORE[name])} | {MORE[name].help.replace('|', '/')} |"


def _values(field: Field) -> str:
    if field.kind == "choice":
        return ", ".join(field.choices)
    if field.kind == "flag":
        return "yes, no"
    if field.kind == "text":
        return f"such as `{field.example}`"
    low, high = (_number(field, limit) for limit in (field.minimum, field.maximum))
    return f"{low} to {high}{'' if field.kind == 'size' else f' {field.unit}'.rstrip()}"


def _number(field: Field, limit: float | None) -> str:
    if field.kind == "size":
        return format_size(int(limit or 0))
    return f"{int(limit or 0)}"


def _reasons(title: str, text: str, table: Mapping[str, str]) -> Iterator[str]:
    yield from ("", f"## {title}", "", f"{text[0].upper()}{text[1:]}.", "")
    yield from ("| option | what fio says | why |", "|---|---|---|")
    yield from (f"| `{name}` | {facts()[name].text} | {reason} |" for name, reason in table.items())


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()) + "\n")
