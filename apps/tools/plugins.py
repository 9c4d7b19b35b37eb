"""Rooms that somebody else wrote: packages that register one under the entry point group
`benchlab.tools` (docs/development/tools.md). One that cannot be used stops nothing: it is named
with its error on the system page and by the doctor, and the others are there.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar, cast

from apps.tools.sentences import sentence
from apps.tools.values import Parameters

from .base import (
    Output,
    OutputError,
    ParamsError,
    Parsed,
    Procedure,
    Progress,
    TargetKind,
    Tool,
    ToolError,
    ToolTarget,
)
from .pasted.call import Call, CommandError, ParsedCommand, ParsedStep
from .pasted.steps import Pasted
from .room import Room
from .several_files.belonging import Bundle, Logs

log = logging.getLogger(__name__)
GROUP = "benchlab.tools"
NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")
_METHODS = (
    "recognises",
    "claims",
    "procedure",
    "parse",
    "progress",
    "folder_says",
    "logs",
    "bundles",
    "targets_for",
    "options_of",
    "operation_params",
    "exact_params",
    "steps_from",
    "parse_command",
    "join_commands",
    "parse_file",
)
T = TypeVar("T")


@dataclass(frozen=True)
class BrokenRoom:
    """An entry point that gave no room: its name, the package it is of, and why."""

    name: str
    package: str
    error: str


def plugin_rooms(
    taken: Collection[str], points: Iterable[EntryPoint] | None = None
) -> tuple[list[Tool], list[BrokenRoom]]:
    """The rooms of other packages, and those that cannot be used. `taken`: names of rooms that are
    there already."""
    found: list[Tool] = []
    broken: list[BrokenRoom] = []
    points = entry_points(group=GROUP) if points is None else points
    for point in sorted(points, key=lambda each: (_package(each), each.name)):
        names = {*taken, *(room.name for room in found)}
        try:
            room = point.load()
            wrong = complaint(room, names)
        except (Exception, SystemExit) as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            log.error("the room %s of %s cannot be used: %s", point.name, _package(point), wrong)
            broken.append(BrokenRoom(point.name, _package(point), wrong))
        else:
            found.append(cast(Tool, GuardedRoom(room, _package(point))))
    return found, broken


def complaint(room: Any, taken: Collection[str]) -> str:
    """The reason why an object is no room; empty for one that is."""
    name = getattr(room, "name", None)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return f"its name is {name!r}, not 1 to 20 small letters, digits, - and _"
    if name in taken:
        return f"there is a room called {name} already"
    needed = {*Tool.__annotations__, *_METHODS}
    missing = sorted(each for each in needed if not hasattr(room, each))
    if missing:
        return f"it has no {', '.join(missing)}; apps.tools.room.Room has defaults"
    if room.params is not None:
        room.params.from_raw({}).canonical()  # a form begins with the defaults
        room.params.fields()
    return ""


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else ""


class GuardedRoom:
    """A room of another package: a fault in it is one of that tool's results, not of benchlab."""

    def __init__(self, room: Tool, package: str = "") -> None:
        self._room = room
        self.package = package

    def __getattr__(self, name: str) -> Any:
        return getattr(self._room, name)

    def recognises(self, data: bytes) -> bool:
        return bool(self._usually(lambda: self._room.recognises(data), False))

    def claims(self, line: str) -> bool:
        return bool(self._usually(lambda: self._room.claims(line), False))

    def folder_says(self, name: str) -> Parameters:
        return self._usually(lambda: self._room.folder_says(name), {})

    def logs(self, paths: Sequence[str]) -> Sequence[Logs]:
        return self._usually(lambda: self._room.logs(paths), ())

    def bundles(self, files: Mapping[str, bytes], logs: Sequence[Logs]) -> Sequence[Bundle]:
        return self._usually(lambda: self._room.bundles(files, logs), ())

    def targets_for(self, raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
        return self._usually(lambda: self._room.targets_for(raw), self._room.targets)

    def options_of(self, params: Parameters) -> Sequence[str]:
        return self._usually(lambda: self._room.options_of(params), ())

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        return self._usually(lambda: self._room.operation_params(params, operation), params)

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        return self._usually(lambda: self._room.exact_params(known, operation), None)

    def parse_command(self, call: Call) -> ParsedCommand:
        try:
            return self._room.parse_command(call)
        except CommandError:
            raise
        except Exception as error:
            raise CommandError(self._fault(error)) from error

    def join_commands(
        self, steps: Sequence[ParsedStep]
    ) -> Sequence[tuple[Sequence[int], ParsedCommand]]:
        each = [((number,), ParsedCommand((step,))) for number, step in enumerate(steps)]
        return self._usually(lambda: self._room.join_commands(steps), each)

    def parse_file(self, text: str) -> ParsedCommand:
        try:
            return self._room.parse_file(text)
        except CommandError:
            raise
        except Exception as error:
            raise CommandError(self._fault(error)) from error

    def steps_from(self, text: str) -> Pasted:
        return self._usually(lambda: self._room.steps_from(text), Pasted())

    def progress(self) -> Progress | None:
        return self._usually(self._room.progress, None)

    def procedure(self, params: Any, target: ToolTarget) -> Procedure:
        try:
            return self._room.procedure(params, target)
        except ParamsError:
            raise
        except Exception as error:
            raise ParamsError({"tool": self._fault(error)}) from error

    def parse(self, output: Output) -> Parsed:
        try:
            return self._room.parse(output)
        except (ToolError, OutputError):
            raise
        except Exception as error:
            raise OutputError(self._fault(error)) from error

    def _usually(self, ask: Callable[[], T], otherwise: T) -> T:
        try:
            return ask()
        except Exception as error:
            self._fault(error)
            return otherwise

    def _fault(self, error: Exception) -> str:
        log.exception("the room of %s failed", self._room.name)
        why = f"{type(error).__name__}: {error}"
        return sentence("The room of %(tool)s failed: %(why)s", tool=self._room.label, why=why)


class GoneRoom(Room):
    """In place of a room that is not installed any more: what was measured can still be seen."""

    parser_version = 0

    def __init__(self, name: str) -> None:
        self.name = self.label = name
        self.refusal = sentence("The package with the tool %(tool)s is not installed.", tool=name)

    def recognises(self, data: bytes) -> bool:
        """Nothing is."""
        return False

    def parse(self, output: Output) -> Parsed:
        """Always raises OutputError."""
        raise OutputError(self.refusal)
