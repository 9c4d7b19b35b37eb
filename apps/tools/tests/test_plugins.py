"""Rooms of other packages: used when they are whole, named with their error when they are not."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any, cast

import pytest

from apps.tools.base import Output, OutputError, Params, ParamsError, Parsed, ToolError, ToolTarget
from apps.tools.plugins import GROUP, GoneRoom, plugin_rooms
from apps.tools.registry import BUILT_IN, TOOLS, tool
from apps.tools.room import Room


class Mine(Room):
    """A tool that reads "mine 5"."""

    name = "mine"
    label = "Mine"
    parser_version = 1

    def recognises(self, data: bytes) -> bool:
        return data.startswith(b"mine")

    def parse(self, output: Output) -> Parsed:
        return Parsed(self.name, "text", None, ())


class Faulty(Mine):
    """A tool whose room has a defect everywhere."""

    name = "faulty"

    def recognises(self, data: bytes) -> bool:
        raise ZeroDivisionError

    def claims(self, line: str) -> bool:
        raise ZeroDivisionError

    def parse(self, output: Output) -> Parsed:
        raise IndexError("nothing there")

    def procedure(self, params: Any, target: ToolTarget) -> Any:
        raise KeyError("size")


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("their_package")
    monkeypatch.setitem(sys.modules, "their_package", module)
    return module


def point(name: str, value: str = "their_package:TOOL") -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def test_a_room_of_another_package_is_a_room(package: ModuleType) -> None:
    package.TOOL = Mine()  # type: ignore[attr-defined] # a made-up module
    (room,), broken = plugin_rooms(BUILT_IN, [point("mine")])
    assert broken == []
    assert (room.name, room.label, room.several) == ("mine", "Mine", False)
    assert room.recognises(b"mine 5")
    assert room.parse(Output({})).format == "text"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "its name is None"),
        (type("Named", (Mine,), {"name": "Not a name!"})(), "its name is 'Not a name!'"),
        (type("Taken", (Mine,), {"name": "fio"})(), "there is a room called fio already"),
        (type("Bare", (), {"name": "bare"})(), "it has no bundles, claims"),
    ],
)
def test_what_is_no_room_is_named_with_its_error(
    package: ModuleType, found: Any, words: str
) -> None:
    package.TOOL = found  # type: ignore[attr-defined] # a made-up module
    rooms, (broken,) = plugin_rooms(BUILT_IN, [point("theirs")])
    assert rooms == []
    assert broken.name == "theirs"
    assert words in broken.error


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no_such_package_at_all:TOOL", "ModuleNotFoundError: No module named 'no_such_package"),
        ("their_package:OTHER", "AttributeError"),
        ("their_package:quits", "SystemExit"),
    ],
)
def test_a_package_that_cannot_be_imported_stops_nobody(
    package: ModuleType, monkeypatch: pytest.MonkeyPatch, value: str, words: str
) -> None:
    package.TOOL = Mine()  # type: ignore[attr-defined] # a made-up module

    def leave(name: str) -> None:
        raise SystemExit(3 if name == "quits" else name)

    if words == "SystemExit":
        package.__getattr__ = leave  # type: ignore[method-assign] # a module that quits
    rooms, (broken,) = plugin_rooms(BUILT_IN, [point("broken", value), point("mine")])
    assert [room.name for room in rooms] == ["mine"]
    assert broken.error.startswith(words)


def test_the_second_of_one_name_is_refused(package: ModuleType) -> None:
    package.TOOL = Mine()  # type: ignore[attr-defined] # a made-up module
    rooms, (broken,) = plugin_rooms(BUILT_IN, [point("a"), point("b")])
    assert len(rooms) == 1
    assert (broken.name, broken.error) == ("b", "there is a room called mine already")


def test_a_defect_in_a_room_is_one_of_its_results(
    package: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    package.TOOL = Faulty()  # type: ignore[attr-defined] # a made-up module
    (room,), _broken = plugin_rooms(BUILT_IN, [point("faulty")])
    assert not room.recognises(b"anything")
    assert not room.claims("a line")
    with pytest.raises(OutputError, match="The room of Mine failed: IndexError: nothing there"):
        room.parse(Output({}))
    with pytest.raises(ParamsError, match="KeyError"):
        room.procedure(cast(Params, None), ToolTarget("disk", "x"))
    assert "ZeroDivisionError" in caplog.text


def test_what_a_room_says_itself_is_passed_on(package: ModuleType) -> None:
    class Refusing(Mine):
        def parse(self, output: Output) -> Parsed:
            raise ToolError("disk full")

    package.TOOL = Refusing()  # type: ignore[attr-defined] # a made-up module
    (room,), _broken = plugin_rooms(BUILT_IN, [point("mine")])
    with pytest.raises(ToolError, match=r"^disk full$"):
        room.parse(Output({}))


def test_built_in_rooms_come_first() -> None:
    assert list(TOOLS)[: len(BUILT_IN)] == list(BUILT_IN)


def test_a_room_that_is_gone_says_so() -> None:
    room = tool("no-such-tool")
    assert isinstance(room, GoneRoom)
    with pytest.raises(OutputError, match="the tool no-such-tool is not installed"):
        room.parse(Output({"stdout": b"x"}))
    with pytest.raises(ParamsError, match="not installed"):
        room.procedure(cast(Params, None), ToolTarget("disk", "x"))
