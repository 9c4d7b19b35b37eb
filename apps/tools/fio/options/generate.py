"""Generator of the catalog: `python -m apps.tools.fio.options.generate > facts.json`.

Developers run it with the fio whose options they want. The file contains only output of that fio
(`fio --cmdhelp=NAME`, `fio --enghelp=ENGINE,NAME`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

# Engines whose options a step may have.
ENGINES = ("libaio", "io_uring", "pvsync2", "rbd")
_KEYS = ("alias", "type", "default", "range", "valid values")
_LINE = re.compile(r"^ {0,20}(?P<key>[\w -]+?): (?P<text>.*)$")
_MORE = re.compile(r"^ {20}: (?P<text>.*)$")


def facts() -> dict[str, object]:
    """Return the version, options by name, and options by engine."""
    listed = _names(_fio_output("--cmdhelp=all"))
    return {
        "version": _fio_output("--version").strip().removeprefix("fio-"),
        "options": {name: read_help(_fio_output(f"--cmdhelp={name}")) for name in listed},
        "engines": {
            engine: {
                name: read_help(_fio_output(f"--enghelp={engine},{name}"))
                for name in _names(_fio_output(f"--enghelp={engine}"))
            }
            for engine in ENGINES
        },
    }


def read_help(text: str) -> dict[str, object]:
    """Return the fields of fio's help on one option.

    These are its text, alias, type, default, range and values.
    """
    fields: dict[str, object] = {"text": "", "type": ""}
    values: list[str] = []
    for number, line in enumerate(text.splitlines()):
        more, match = _MORE.match(line), _LINE.match(line)
        if more:
            values.append(more["text"].split()[0])
        elif match and number == 0:
            fields["text"] = match["text"]
        elif match and match["key"] in _KEYS:
            fields[match["key"]] = match["text"]
    if "valid values" in fields:
        fields["values"] = [str(fields.pop("valid values")).split()[0], *values]
    if fields.get("default") == "no default":
        del fields["default"]
    return fields


def _names(listing: str) -> list[str]:
    return [line.split()[0].rstrip(":") for line in listing.splitlines() if line.strip()]


def _fio_output(argument: str) -> str:
    command = ("fio", argument)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    json.dump(facts(), sys.stdout, indent=1)
    sys.stdout.write("\n")
