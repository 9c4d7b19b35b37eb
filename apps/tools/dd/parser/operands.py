"""Interpret the operands of a command (dd(1)).

Each one is a parameter of a plan, irrelevant, or an unread option.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.tools.values import Parameters

from .invocation import ZEROS, Invocation
from .sizes import LARGEST, is_bytes, parse_size

_FLAGS = ("direct", "sync", "dsync")
# Flags that only set the unit of `count`, `skip` and `seek`, or the reading of a pipe.
_NEUTRAL_FLAGS = frozenset({"fullblock", "count_bytes", "skip_bytes", "seek_bytes"})
_CONVERSIONS = ("fdatasync", "fsync")
_NEUTRAL_CONVERSIONS = frozenset({"noerror", "nocreat", "excl"})
_READ = frozenset({"if", "of", "bs", "ibs", "obs", "count", "iflag", "oflag", "conv", "status"})
_EMPTY = frozenset({"", "0"})


@dataclass(frozen=True)
class Meaning:
    """Plan parameters of a command, and its unread operands: name -> text."""

    params: Parameters
    unread: dict[str, str]


def meaning(command: Invocation) -> Meaning:
    """Return the plan parameters and the unread operands of a command."""
    if not command.operands:
        return Meaning({}, {})
    params: Parameters = {}
    unread: dict[str, str] = {}
    if command.direction in ("read", "write"):
        params["rw"] = command.direction
    _blocks(command, params, unread)
    _amount(command, params, unread)
    _flags(command, params, unread)
    _conversions(command, params, unread)
    _sources(command, unread)
    for name, text in command.operands.items():
        if name not in _READ and text not in _EMPTY:
            unread[name] = f"{name}={text}"
    return Meaning(params, unread)


def _blocks(command: Invocation, params: Parameters, unread: dict[str, str]) -> None:
    """Set the block size; bs overrides ibs and obs.

    If ibs and obs differ, the block size of the measured side is known, but the test differs from
    one with bs.
    """
    operands = command.operands
    if "bs" in operands:
        _block("bs", operands["bs"], params, unread)
        return
    sides = {name: operands[name] for name in ("ibs", "obs") if name in operands}
    sizes = {name: parse_size(operands.get(name, "512")) for name in ("ibs", "obs")}
    if size := sizes["ibs" if command.direction == "read" else "obs"]:
        params["bs"] = size
    if sizes["ibs"] != sizes["obs"] or None in sizes.values():
        unread |= {name: f"{name}={text}" for name, text in sides.items()}


def _block(name: str, text: str, params: Parameters, unread: dict[str, str]) -> None:
    if size := parse_size(text):
        params["bs"] = size
    else:
        unread[name] = f"{name}={text}"


def _amount(command: Invocation, params: Parameters, unread: dict[str, str]) -> None:
    """Set the size. `count` is a number of input blocks, or of bytes."""
    text = command.operands.get("count")
    if text is None:
        return
    if is_bytes(text):
        size: int | None = int(text[:-1])
    elif "count_bytes" in _words(command, "iflag"):
        size = parse_size(text)
    else:
        block = parse_size(command.operands.get("bs") or command.operands.get("ibs") or "512")
        blocks = parse_size(text)
        size = blocks * block if blocks and block else None
    if size and size < LARGEST:
        params["size"] = size
    else:
        unread["count"] = f"count={text}"


def _flags(command: Invocation, params: Parameters, unread: dict[str, str]) -> None:
    side, other = ("iflag", "oflag") if command.direction == "read" else ("oflag", "iflag")
    given = _words(command, side)
    params |= {name: name in given for name in _FLAGS}
    rest = [word for word in given if word not in _NEUTRAL_FLAGS.union(_FLAGS)]
    foreign = [word for word in _words(command, other) if word not in _NEUTRAL_FLAGS]
    unread |= {
        name: f"{name}={','.join(flags)}"
        for name, flags in ((side, rest), (other, foreign))
        if flags
    }


def _conversions(command: Invocation, params: Parameters, unread: dict[str, str]) -> None:
    given = _words(command, "conv")
    params["fdatasync"] = "fdatasync" in given
    # Only if set: the default is not in the identity of workloads (`DdParams.later`).
    params |= {"fsync": True} if "fsync" in given else {}
    neutral = _NEUTRAL_CONVERSIONS | ({"notrunc"} if command.is_device else set())
    rest = [word for word in given if word not in neutral.union(_CONVERSIONS)]
    if rest:
        unread["conv"] = f"conv={','.join(rest)}"


def _sources(command: Invocation, unread: dict[str, str]) -> None:
    """Add operands that no plan has.

    A plan copies zeros to the target, or the target to /dev/null.
    """
    source = command.operands.get("if", "")
    plan_sources = {"", command.target, *ZEROS}
    if command.direction not in ("read", "memory") and source not in plan_sources:
        unread["if"] = f"if={source}"
    if command.lost:
        unread["..."] = command.lost
    if command.piped:
        unread["|"] = "| dd"


def _words(command: Invocation, name: str) -> list[str]:
    return [word for word in command.operands.get(name, "").split(",") if word]
