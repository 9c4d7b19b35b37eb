"""Description of one option of fio."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """Description of one option by fio.

    `default` is empty if fio states none; `engines`: engines with this option, empty for an option
    of every job.
    """

    name: str
    text: str
    type: str = ""
    alias: str = ""
    default: str = ""
    range: str = ""
    values: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
