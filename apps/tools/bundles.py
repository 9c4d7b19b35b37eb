"""Results that are several files: which belong together, and what the names of their folders say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.tools.base import JSON


@dataclass(frozen=True)
class Bundle:
    """One result of one tool: what `Tool.parse` is given at once.

    `tool`: the room's name. `files`: the name to use in `base.Output.files` -> the path it was
    given by; "stdout" is the tool's main output and may be missing where only logs are left.
    `params`: what folder and file names say, by the tool's own parameter names and in canonical
    units (bytes, seconds, counts); what an output says itself counts more. `target`, `host`: the
    names of what was tested and where, "" where nothing says. `repeat`: from 1, None where nothing
    says. `together`: the same words for outputs that several processes or hosts made at the same
    time in one test, "" for a result of its own. `kind`: "fio with logs", "fio logs", "bench-fio",
    "CBT".
    """

    kind: str
    tool: str
    files: Mapping[str, str]
    params: JSON = field(default_factory=dict)
    target: str = ""
    host: str = ""
    repeat: int | None = None
    together: str = ""


def bundles(files: Mapping[str, bytes]) -> tuple[Bundle, ...]:
    """What belongs together among the files of a folder or an archive, in the order of their paths.

    `files`: path with "/" below the folder that was given -> its bytes or its first bytes (64 KiB
    tell enough). A file that is in no bundle stands alone: it is recognised by its content as ever.
    Nothing is read or decoded beyond the heads; a file is in one bundle at most.
    """
    return ()
