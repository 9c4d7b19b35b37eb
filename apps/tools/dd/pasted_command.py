"""Convert a command line of dd to a step of a plan (coreutils: dd invocation)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.dd.params import DdParams
from apps.tools.dd.parser.sizes import is_bytes, parse_size
from apps.tools.messages import message
from apps.tools.pasted_commands.call import (
    Call,
    CommandError,
    CommandNote,
    ParsedCommand,
    ParsedStep,
)
from apps.tools.values import RawValue

_ZEROS = "/dev/zero"
_NULL = "/dev/null"
_OPERANDS = frozenset(("if", "of", "bs", "ibs", "obs", "count", "iflag", "oflag", "conv", "status"))
_FLAGS = ("direct", "sync", "dsync")
_SYNCS = ("fdatasync", "fsync")
_DEFAULT_BLOCK = 512


def parse_command(call: Call) -> ParsedCommand:
    """Return the copy of a command line.

    Raises: CommandError.
    """
    operands = _operands(call)
    notes: list[CommandNote] = []
    reads = _reads(operands)
    params: dict[str, RawValue] = {"rw": "read" if reads else "write", **_sizes(operands)}
    target = operands["if" if reads else "of"]
    params |= _flags(operands, reads, notes) | _conversions(operands, target, notes)
    if "status" in operands:
        reason = message("benchlab reads dd's report itself.")
        notes.append(CommandNote("left", f"status={operands['status']}", reason))
    reason = message("A step names no disk and no file: choose the plan's targets.")
    notes.append(CommandNote("left", f"{'if' if reads else 'of'}={target}", reason))
    return ParsedCommand((ParsedStep("dd", params, target),), tuple(notes))


def _operands(call: Call) -> dict[str, str]:
    """Return the operands by name; redirections replace missing input and output operands."""
    operands: dict[str, str] = {}
    for word in call.argv[1:]:
        name, mark, value = word.partition("=")
        if not mark or name not in _OPERANDS:
            raise CommandError(message("A step of dd has nothing like it."), word)
        operands[name] = value
    if call.stdin:
        operands.setdefault("if", call.stdin)
    if call.stdout:
        operands.setdefault("of", call.stdout)
    if call.piped or (call.pipe and "of" not in operands):
        raise CommandError(message("It copies from or to another program, not from or to a disk."))
    return operands


def _reads(operands: Mapping[str, str]) -> bool:
    source, sink = operands.get("if"), operands.get("of")
    if source is None or sink is None:
        raise CommandError(message("It names no input (if) or no output (of)."))
    if source == _ZEROS and sink not in (_NULL, _ZEROS):
        return False
    if sink == _NULL and not source.startswith(("/dev/zero", "/dev/urandom", "/dev/random")):
        return True
    raise CommandError(
        message("A step of dd copies zeros to its target, or its target to /dev/null."),
        f"if={source} of={sink}",
    )


def _sizes(operands: Mapping[str, str]) -> dict[str, RawValue]:
    bs = _size(operands, "bs") or _size(operands, "ibs") or _DEFAULT_BLOCK
    for name in ("ibs", "obs"):
        if "bs" not in operands and (_size(operands, name) or _DEFAULT_BLOCK) != bs:
            reason = message("Blocks of other sizes for reading and writing: a step has one.")
            raise CommandError(reason, f"{name}={operands.get(name, _DEFAULT_BLOCK)}")
    if is_bytes(operands.get("count", "")):
        return {"bs": bs, "size": int(operands["count"][:-1])}
    count = _size(operands, "count")
    if count is None:
        reason = message("Without it dd goes on to the end of the disk: a step sets the size.")
        raise CommandError(reason, "count")
    in_bytes = "count_bytes" in operands.get("iflag", "").split(",")
    return {"bs": bs, "size": count if in_bytes else bs * count}


def _size(operands: Mapping[str, str], name: str) -> int | None:
    if name not in operands:
        return None
    size = parse_size(operands[name])
    if size is None:
        raise CommandError(message("This is no size above 0 of dd's."), f"{name}={operands[name]}")
    return size


def _flags(
    operands: Mapping[str, str], reads: bool, notes: list[CommandNote]
) -> dict[str, RawValue]:
    chosen: dict[str, RawValue] = dict.fromkeys(_FLAGS, False)
    for side in ("iflag", "oflag"):
        for flag in filter(None, operands.get(side, "").split(",")):
            if flag in ("fullblock", "count_bytes"):
                reason = message("The amount that is copied is the same.")
                notes.append(CommandNote("left", f"{side}={flag}", reason))
            elif flag in _FLAGS and (side == "iflag") == reads:
                chosen[flag] = True
            else:
                raise CommandError(message("A step of dd has no such flag."), f"{side}={flag}")
    return chosen


def _conversions(
    operands: Mapping[str, str], target: str, notes: list[CommandNote]
) -> dict[str, RawValue]:
    """Return the syncs at the end.

    `notrunc` is ignored for devices only, because a file that is not truncated may already exist.
    """
    neutral = {"nocreat", "excl", *(("notrunc",) if target.startswith("/dev/") else ())}
    conversions = [word for word in operands.get("conv", "").split(",") if word]
    chosen: dict[str, RawValue] = {
        name: name in conversions for name in _SYNCS if name in DdParams.table
    }
    for word in conversions:
        if word in neutral:
            reason = message("It changes nothing that is measured.")
            notes.append(CommandNote("left", f"conv={word}", reason))
        elif word not in chosen:
            raise CommandError(message("A step of dd has no such conversion."), f"conv={word}")
    return chosen
