"""Convert command lines of rados bench to steps of a plan (rados(8))."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.tools.messages import message
from apps.tools.param_values import parse_size
from apps.tools.pasted_commands.call import (
    Call,
    CommandError,
    CommandNote,
    ParsedCommand,
    ParsedStep,
)
from apps.tools.pasted_commands.options import collected, names_of
from apps.tools.values import RawValue

MODES = ("write", "seq", "rand")
BLOCK = 4 * 1024**2  # default of rados.cc
LAST_RUN = "benchmark_last_metadata"  # metadata object without --run-name (obj_bencher.cc)
_TABLE = {
    "pool": "-p --pool",
    "threads": "-t --concurrent-ios",
    "bs": "-b --block-size --block_size",
    "object_size": "-O --object-size --object_size",
    "max_objects": "--max-objects",
    "no-cleanup": "--no-cleanup",
    "no-verify": "--no-verify",
    "no-hints": "--no-hints",
    "run-name": "--run-name",
    "show-time": "--show-time",
    "format": "-f --format --pretty-format",
    "output": "-o --output",
    "namespace": "-N --namespace",
    "cluster": "--cluster",
    "conf": "-c --conf",
    "who": "-n --name --id --user --keyring -k",
    "monitor": "-m",
    "prefix": "--prefix",
}
_NAMES = names_of(
    _TABLE,
    "pool threads bs object_size max_objects run-name format output namespace cluster conf who "
    "monitor prefix",
)
_REPORT = message("benchlab chooses what rados reports itself.")
_OURS = message("benchlab keeps the objects of its tests apart and removes them itself.")
_CLUSTER = message("The plan's target sets the pool and the cluster.")
_LEFT: Mapping[str, str] = {
    **dict.fromkeys(("show-time", "format", "output"), _REPORT),
    **dict.fromkeys(("run-name", "namespace", "prefix", "no-cleanup"), _OURS),
    **dict.fromkeys(("cluster", "conf", "who", "monitor", "pool"), _CLUSTER),
}
_OTHER = message("Not necessary: benchlab sees to pools and to the objects of its tests.")
_OF_WRITES = frozenset({"bs", "object_size", "max_objects"})


def parse_command(call: Call) -> ParsedCommand:
    """Return one operation of rados bench.

    Raises: CommandError.
    """
    arguments = collected(call.argv[1:], _NAMES, _LEFT)
    options = arguments.options
    if arguments.words[:1] != ["bench"]:
        return ParsedCommand(notes=(CommandNote("left", " ".join(call.argv), _OTHER),))
    if arguments.unknown:
        raise CommandError(
            message("A step of rados bench has no such option."), arguments.unknown[0]
        )
    seconds, mode = _seconds_and_mode(arguments.words[1:])
    params = _params(options, mode, seconds)
    facts = {"run": options.get("run-name", ""), "keeps": str("no-cleanup" in options)}
    step = ParsedStep(f"rados {mode}", params, options.get("pool", ""), facts)
    return ParsedCommand((step,), tuple(arguments.notes))


def _seconds_and_mode(words: Sequence[str]) -> tuple[int, str]:
    """Return seconds and mode, two words in this order."""
    if len(words) != 2 or words[1] not in MODES or not re.fullmatch(r"\d{1,6}", words[0]):
        reason = message("rados bench takes seconds, then write, seq or rand.")
        raise CommandError(reason, " ".join(["bench", *words]))
    return int(words[0]), words[1]


def _params(options: Mapping[str, str], mode: str, seconds: int) -> dict[str, RawValue]:
    params: dict[str, RawValue] = {"operations": mode, "seconds": seconds}
    misplaced = [name for name in _OF_WRITES if name in options] if mode != "write" else []
    if misplaced:
        reason = message("rados bench takes it for writing only.")
        raise CommandError(
            reason, f"{_TABLE[misplaced[0]].split()[0]} {options[misplaced[0]]}".strip()
        )
    params["threads"] = _number(options, "threads", 16)
    if mode == "write":
        params["bs"] = _number(options, "bs", BLOCK)
        for name in ("object_size", "max_objects"):
            if name in options:
                params[name] = _number(options, name, 0)
    params["verify"] = "no-verify" not in options
    params["hints"] = "no-hints" not in options
    return params


def _number(options: Mapping[str, str], name: str, default: int) -> int:
    """Return a size or a count; rados uses powers of 1024."""
    if name not in options:
        return default
    try:
        return parse_size(options[name])
    except ValueError as error:
        written = f"{_TABLE[name].split()[0]} {options[name]}"
        raise CommandError(message("This is no number of rados'."), written) from error


@dataclass
class _Test:
    """Operations of one step: indexes of the commands and the joint parameters."""

    numbers: list[int]
    step: ParsedStep
    operations: list[str]
    seconds: int | None = None
    read_threads: int | None = None


def join_commands(steps: Sequence[ParsedStep]) -> list[tuple[Sequence[int], ParsedCommand]]:
    """Join a write and the reads of its objects into one step.

    A read without a write above it reads the objects of an earlier run.
    """
    tests: list[_Test] = []
    refused: list[tuple[Sequence[int], ParsedCommand]] = []
    for number, step in enumerate(steps):
        mode = str(step.params["operations"])
        before = next((t for t in reversed(tests) if t.step.target == step.target), None)
        if mode == "write":
            tests.append(_Test([number], step, ["write"]))
            continue
        reason = _mismatch(before, step, mode)
        if before is None:
            tests.append(_Test([number], _read_alone(step), [mode]))
            continue
        if reason:
            note = CommandNote("refused", step.name, reason)
            refused.append(((number,), ParsedCommand(notes=(note,))))
            continue
        before.numbers.append(number)
        before.operations.append(mode)
        before.seconds = int(str(step.params["seconds"]))
        before.read_threads = int(str(step.params["threads"]))
        before.step = ParsedStep(
            before.step.name,
            {**before.step.params, "verify": step.params["verify"]},
            step.target,
            before.step.facts,
        )
    return [*refused, *((test.numbers, _joined(test)) for test in tests)]


def _mismatch(before: _Test | None, step: ParsedStep, mode: str) -> str:
    """Return the reason why a read does not belong to the write before it; empty if it does."""
    if before is None:
        return ""
    write, read = before.step.params, step.params
    if before.operations[0] != "write":
        return _read_mismatch(before, step, mode)
    if before.step.facts["keeps"] != "True" or before.step.facts["run"] != step.facts["run"]:
        return message(
            "The write above it leaves nothing that it reads (--no-cleanup, --run-name)."
        )
    if before.seconds is not None and before.read_threads != read["threads"]:
        return message("A step keeps one number of reads in flight.")
    if before.operations[-1] == mode or before.operations[-1] == "rand":
        return message("A step reads once in sequence, then once at random.")
    same_options = write["hints"] == read["hints"] and before.seconds in (None, read["seconds"])
    same_options = same_options and (before.seconds is None or write["verify"] == read["verify"])
    if not same_options:
        return message("A step has one duration, and one choice of --no-verify and --no-hints.")
    return ""


def _read_alone(step: ParsedStep) -> ParsedStep:
    """Return a step that reads the objects of an earlier run."""
    run_name = step.facts["run"] or LAST_RUN
    params = {**step.params, "bs": BLOCK, "run_name": run_name}
    return ParsedStep(step.name, params, step.target, step.facts)


def _read_mismatch(before: _Test, step: ParsedStep, mode: str) -> str:
    """Return the reason why two reads of an earlier run are not one step."""
    first, second = before.step.params, step.params
    if before.operations != ["seq"] or mode != "rand":
        return message("A step reads once in sequence, then once at random.")
    names = ("threads", "seconds", "verify", "hints")
    same = all(first[name] == second[name] for name in names)
    if not same or before.step.facts["run"] != step.facts["run"]:
        return message("A step has one duration, and one choice of --no-verify and --no-hints.")
    return ""


def _joined(test: _Test) -> ParsedCommand:
    params = {**test.step.params, "operations": "+".join(test.operations)}
    if test.seconds is not None and test.seconds != params["seconds"]:
        params |= {"write_seconds": params["seconds"], "seconds": test.seconds}
    if test.operations[0] == "write" and test.read_threads not in (None, params["threads"]):
        params["read_threads"] = test.read_threads
    if test.operations == ["write"]:
        del params["verify"]
    name = f"rados {params['operations']}"
    return ParsedCommand((ParsedStep(name, params, test.step.target),))
