"""Files that belong together: the logs of one run of a tool, and results of several files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.tools.values import Parameters


@dataclass(frozen=True)
class OutputBundle:
    """One result of one tool, the input of one `Tool.parse`.

    - `tool`: name of the plugin.
    - `files`: name in `parse_result.Output.files` -> path of the input. "stdout" is the tool's main
      output; it is absent if only logs exist.
    - `params`: parameters in folder and file names, by the tool's parameter names, in canonical
      units (bytes, seconds, counts). Parameters in the output take precedence.
    - `target`, `host`: names of target and host, "" if unknown.
    - `repeat`: from 1, None if unknown.
    - `together`: equal for outputs that several processes or hosts wrote at the same time in one
      test, "" for a separate result.
    - `kind`: "fio with logs", "fio logs", "bench-fio", "CBT".
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
    """All logs of one run of a tool: one folder, one stem, one client."""

    folder: str
    stem: str
    host: str
    paths: tuple[str, ...]

    @property
    def files(self) -> dict[str, str]:
        """Return the logs' names in an output -> their paths."""
        return {name_of(path): path for path in self.paths}


@dataclass(frozen=True)
class PathHints:
    """Parameters and names in a path; "" and None where the path has none."""

    params: Parameters = field(default_factory=dict)
    target: str = ""
    host: str = ""
    repeat: int | None = None


def bundle(
    kind: str, tool: str, files: Mapping[str, str], hints: PathHints, together: str = ""
) -> OutputBundle:
    """Return a bundle with the hints of its path."""
    return OutputBundle(
        kind, tool, files, hints.params, hints.target, hints.host, hints.repeat, together=together
    )


def folder_of(path: str) -> str:
    """Return the path without its last component."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """Return the path's last component."""
    return path.rpartition("/")[2]
