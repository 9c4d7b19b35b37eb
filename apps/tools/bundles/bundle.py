"""Files that belong together: the logs of one run of a tool, and results that are several files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.tools.values import Parameters


@dataclass(frozen=True)
class OutputBundle:
    """One result of one tool: what `Tool.parse` is given at once.

    `tool`: the plugin's name. `files`: the name to use in `base.Output.files` -> the path it was
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
    params: Parameters = field(default_factory=dict)
    target: str = ""
    host: str = ""
    repeat: int | None = None
    together: str = ""


@dataclass(frozen=True)
class LogSet:
    """All logs of one run of a tool: in one folder, with one stem, of one client."""

    folder: str
    stem: str
    host: str
    paths: tuple[str, ...]

    @property
    def files(self) -> dict[str, str]:
        """The names that the logs have in an output."""
        return {name_of(path): path for path in self.paths}


@dataclass(frozen=True)
class PathHints:
    """The parts of a path's name; the empty text and None where it says nothing."""

    params: Parameters = field(default_factory=dict)
    target: str = ""
    host: str = ""
    repeat: int | None = None


def bundle(
    kind: str, tool: str, files: Mapping[str, str], said: PathHints, together: str = ""
) -> OutputBundle:
    """A bundle with what its path says."""
    return OutputBundle(
        kind, tool, files, said.params, said.target, said.host, said.repeat, together=together
    )


def folder_of(path: str) -> str:
    """The path without its last part."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """The path's last part."""
    return path.rpartition("/")[2]
