"""Input and errors of the commands `parse` and `steps`, which need no database."""

from __future__ import annotations

import sys
from pathlib import Path


def read_input(name: str, max_bytes: int) -> bytes:
    """Return the bytes of a file, or of standard input for "-": at most `max_bytes` + 1.

    Raises: OSError.
    """
    if name == "-":
        return sys.stdin.buffer.read(max_bytes + 1)
    with Path(name).open("rb") as file:
        return file.read(max_bytes + 1)


def refuse(text: str) -> int:
    """Print a sentence to standard error and return the exit code of a refusal."""
    print(text, file=sys.stderr)
    return 2
