"""One call of dd as a step of a plan (coreutils: dd invocation)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.messages import message
from apps.tools.split_output.call import Call, CommandError, CommandNote, ParsedCommand, ParsedStep
from apps.tools.values import RawValue

from .params import DdParams
from .parser.sizes import is_bytes, parse_size

_ZEROS = "/dev/zero"
_NOWHERE = "/dev/null"
_OPERANDS = frozenset(("if", "of", "bs", "ibs", "obs", "count", "iflag", "oflag", "conv", "status"))
_FLAGS = ("direct", "sync", "dsync")
_SYNCS = ("fdatasync", "fsync")
_USUAL_BLOCK = 512


def parse_command(call: Call) -> ParsedCommand:
    """The copy that a call makes. Raises CommandError."""
    operands = _operands(call)
    notes: list[CommandNote] = []
    reads = _reads(operands)
    params: dict[str, RawValue] = {"rw": "read" if reads else "write", **_sizes(operands)}
    target = operands["if" if reads else "of"]
    params |= _flags(operands, reads, notes) | _conversions(operands, target, notes)
    if "status" in operands:
        why = message("benchlab reads dd's report itself.")
        notes.append(CommandNote("left", f"status={operands['status']}", why))
    why = message("A step names no disk and no file: choose the plan's targets.")
    notes.append(CommandNote("left", f"{'if' if reads else 'of'}={target}", why))
    return ParsedCommand((ParsedStep("dd", params, target),), tuple(notes))


def _operands(call: Call) -> dict[str, str]:
    """The operands by name; redirections are the input and the output that have no operand."""
    found: dict[str, str] = {}
    for word in call.argv[1:]:
        name, mark, value = word.partition("=")
        if not mark or name not in _OPERANDS:
            raise CommandError(message("A step of dd has nothing like it."), word)
        found[name] = value
    if call.stdin:
        found.setdefault("if", call.stdin)
    if call.stdout:
        found.setdefault("of", call.stdout)
    if call.piped or (call.pipe and "of" not in found):
        raise CommandError(message("It copies from or to another program, not from or to a disk."))
    return found


def _reads(operands: Mapping[str, str]) -> bool:
    source, sink = operands.get("if"), operands.get("of")
    if source is None or sink is None:
        raise CommandError(message("It names no input (if) or no output (of)."))
    if source == _ZEROS and sink not in (_NOWHERE, _ZEROS):
        return False
    if sink == _NOWHERE and not source.startswith(("/dev/zero", "/dev/urandom", "/dev/random")):
        return True
    raise CommandError(
        message("A step of dd copies zeros to its target, or its target to /dev/null."),
        f"if={source} of={sink}",
    )


def _sizes(operands: Mapping[str, str]) -> dict[str, RawValue]:
    bs = _size(operands, "bs") or _size(operands, "ibs") or _USUAL_BLOCK
    for name in ("ibs", "obs"):
        if "bs" not in operands and (_size(operands, name) or _USUAL_BLOCK) != bs:
            why = message("Blocks of other sizes for reading and writing: a step has one.")
            raise CommandError(why, f"{name}={operands.get(name, _USUAL_BLOCK)}")
    if is_bytes(operands.get("count", "")):
        return {"bs": bs, "size": int(operands["count"][:-1])}
    count = _size(operands, "count")
    if count is None:
        why = message("Without it dd goes on to the end of the disk: a step says how much.")
        raise CommandError(why, "count")
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
    found: dict[str, RawValue] = dict.fromkeys(_FLAGS, False)
    for side in ("iflag", "oflag"):
        for flag in filter(None, operands.get(side, "").split(",")):
            if flag in ("fullblock", "count_bytes"):
                why = message("The amount that is copied is the same.")
                notes.append(CommandNote("left", f"{side}={flag}", why))
            elif flag in _FLAGS and (side == "iflag") == reads:
                found[flag] = True
            else:
                raise CommandError(message("A step of dd has no such flag."), f"{side}={flag}")
    return found


def _conversions(
    operands: Mapping[str, str], target: str, notes: list[CommandNote]
) -> dict[str, RawValue]:
    """The syncs at the end. A file that is not truncated may be one that exists already."""
    neutral = {"nocreat", "excl", *(("notrunc",) if target.startswith("/dev/") else ())}
    asked = [word for word in operands.get("conv", "").split(",") if word]
    found: dict[str, RawValue] = {name: name in asked for name in _SYNCS if name in DdParams.table}
    for word in asked:
        if word in neutral:
            why = message("It changes nothing that is measured.")
            notes.append(CommandNote("left", f"conv={word}", why))
        elif word not in found:
            raise CommandError(message("A step of dd has no such conversion."), f"conv={word}")
    return found
