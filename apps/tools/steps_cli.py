"""Print the steps of a plan as JSON from a text with commands, a script or a job file.

Usage: `python -m apps.tools.steps_cli FILE|-`; it needs no database.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import orjson

from apps.tools.pasted_commands.job_import import MAX_TEXT, TOO_LONG, Commands

from .commands_io import read_input, refuse
from .step_import.commands import read_commands
from .text import as_text

USAGE = "Usage: steps FILE|-"


def document_of(commands: Commands) -> dict[str, object]:
    """Return the documented JSON, with the parameter names of the plan API."""
    return {
        "steps": [
            {"tool": step.tool, "name": step.name, "params": dict(step.params), "line": step.line}
            for step in commands.steps
        ],
        "notes": [{"line": note.line, "text": note.text} for note in commands.notes],
    }


def main(argv: Sequence[str]) -> int:
    """Print the JSON of `FILE|-`; exit with 2 and a sentence on stderr for an unreadable text."""
    if len(argv) != 1:
        return refuse(USAGE)
    try:
        data = read_input(argv[0], MAX_TEXT)
    except OSError as error:
        return refuse(f"{argv[0]} cannot be read: {error.strerror or error}.")
    if len(data) > MAX_TEXT:
        return refuse(TOO_LONG)
    document = document_of(read_commands(as_text(data)))
    options = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
    print(orjson.dumps(document, default=str, option=options).decode())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
