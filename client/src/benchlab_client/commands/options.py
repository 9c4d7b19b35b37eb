"""Options that several commands share."""

from __future__ import annotations

import argparse
import math


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """Add --timeout."""
    parser.add_argument(
        "--timeout", type=seconds, metavar="SECONDS",
        help="stop waiting after this time with exit code 7; the run goes on",
    )  # fmt: skip


def seconds(text: str) -> float:
    """Return positive seconds. Raises: ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (0 < value < math.inf):
        raise argparse.ArgumentTypeError(f"{text!r} is no time in seconds above 0")
    return value


def identifier(text: str) -> int:
    """Return the number of a run, plan or report. Raises: ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**63):
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return int(text)
