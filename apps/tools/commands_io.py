"""The input of commands that need no database, `parse` and `steps`, and their refusals."""

from __future__ import annotations

import sys
from pathlib import Path


def read_input(name: str, most_bytes: int) -> bytes:
    """The bytes of a file, or of standard input for "-": one more than `most_bytes` at most. Raises
    OSError.
    """
    if name == "-":
        return sys.stdin.buffer.read(most_bytes + 1)
    with Path(name).open("rb") as file:
        return file.read(most_bytes + 1)


def refuse(text: str) -> int:
    """Print a sentence to standard error; the exit code of a refusal."""
    print(text, file=sys.stderr)
    return 2
