"""Every tool benchlab knows: a room and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from . import dd, fio, iometer, iostat, iozone, iperf, rados, rbd
from .base import Tool
from .fio import LogName, log_name, standard_four

__all__ = ["TOOLS", "LogName", "log_name", "recognise", "standard_four", "tool"]

TOOLS: Mapping[str, Tool] = {
    room.TOOL.name: room.TOOL for room in (fio, rados, rbd, iperf, iozone, dd, iostat, iometer)
}


def tool(name: str) -> Tool:
    """The room of that name. Raises KeyError for a name nobody registered."""
    return TOOLS[name]


def measures_network(name: str) -> bool:
    """Whether the tool's figures are a network's, shown in Gbit/s beside MB/s."""
    room = TOOLS.get(name)
    return room is not None and room.targets == ("pair",)


def recognise(data: bytes) -> Tool | None:
    """The tool whose output this looks like, None if no room claims it."""
    return next((room for room in TOOLS.values() if room.recognises(data)), None)
