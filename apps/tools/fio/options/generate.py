"""fio's own list of its options as facts: `python -m apps.tools.fio.options.generate > facts.json`.

Run by a developer with the fio whose list is wanted; what stands in the file is what that fio said
(`fio --cmdhelp=NAME`, `fio --enghelp=ENGINE,NAME`), nothing is added by hand.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

# Engines whose own options a step may have.
ENGINES = ("libaio", "io_uring", "pvsync2", "rbd")
_KEYS = ("alias", "type", "default", "range", "valid values")
_LINE = re.compile(r"^ {0,20}(?P<key>[\w -]+?): (?P<text>.*)$")
_MORE = re.compile(r"^ {20}: (?P<text>.*)$")


def facts() -> dict[str, object]:
    """Version, options by name, and options by engine."""
    listed = _names(_said("--cmdhelp=all"))
    return {
        "version": _said("--version").strip().removeprefix("fio-"),
        "options": {name: read_help(_said(f"--cmdhelp={name}")) for name in listed},
        "engines": {
            engine: {
                name: read_help(_said(f"--enghelp={engine},{name}"))
                for name in _names(_said(f"--enghelp={engine}"))
            }
            for engine in ENGINES
        },
    }


def read_help(text: str) -> dict[str, object]:
    """Fields of what fio says of one option: its words, alias, type, default, range and values."""
    found: dict[str, object] = {"text": "", "type": ""}
    values: list[str] = []
    for number, line in enumerate(text.splitlines()):
        more, match = _MORE.match(line), _LINE.match(line)
        if more:
            values.append(more["text"].split()[0])
        elif match and number == 0:
            found["text"] = match["text"]
        elif match and match["key"] in _KEYS:
            found[match["key"]] = match["text"]
    if "valid values" in found:
        found["values"] = [str(found.pop("valid values")).split()[0], *values]
    if found.get("default") == "no default":
        del found["default"]
    return found


def _names(listing: str) -> list[str]:
    return [line.split()[0].rstrip(":") for line in listing.splitlines() if line.strip()]


def _said(argument: str) -> str:
    command = ("fio", argument)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    json.dump(facts(), sys.stdout, indent=1)
    sys.stdout.write("\n")
