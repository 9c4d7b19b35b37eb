"""What an ended attempt turned out to be: succeeded, failed and whose fault; valid or not, and why.

A result is published only if the tool ended with 0, its output is complete, the settings kept their
values, the disk is still the same and the clock did not jump. Everything else is kept, shown, and
left out of comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.runs.models import Attempt, AttemptState, Fault
from apps.tools.base import Output, OutputError, Parsed, ToolError
from apps.tools.registry import tool

CLOCK_STEP = 1.0
CANCELLED = "ended before its time because the run was cancelled"


@dataclass(frozen=True)
class Judgement:
    """How an attempt ended. `invalid` says why its figures must not be compared; empty when they
    may.
    """

    state: AttemptState
    reason: str = ""
    fault: str = ""
    invalid: str = ""
    warnings: tuple[str, ...] = ()
    parsed: Parsed | None = None
    parser_version: int = 0


def judge(attempt: Attempt, files: Mapping[str, bytes]) -> Judgement:
    """Read an attempt's files and say what it was."""
    room = tool(attempt.case.tool)
    codes = attempt.exit.get("codes") or [None]
    parsed, unread = None, ""
    try:
        parsed = room.parse(Output(files, codes[-1], attempt.case.params))
    except (ToolError, OutputError) as error:
        unread = str(error)
    failure = _failure(attempt.exit, files, unread)
    invalid = failure[1] if failure else _doubts(attempt, parsed)
    return Judgement(
        state=failure[0] if failure else AttemptState.SUCCEEDED,
        reason=failure[1] if failure else "",
        fault=failure[2] if failure else "",
        invalid=invalid,
        warnings=_warnings(attempt, parsed),
        parsed=parsed,
        parser_version=room.parser_version,
    )


def _warnings(attempt: Attempt, parsed: Parsed | None) -> tuple[str, ...]:
    """The tool's own warnings, and what became of settings that could not simply be given back."""
    tuning = attempt.exit.get("tuning") or {}
    said = list(parsed.warnings) if parsed else []
    if tuning.get("conflicts"):
        names = _settings(tuning["conflicts"])
        said.append(f"somebody else changed {names} meanwhile; benchlab left it as it found it")
    if tuning.get("failed"):
        said.append(f"{_settings(tuning['failed'])} could not be given its old value back")
    return tuple(said)


def _failure(
    exit_: Mapping[str, Any], files: Mapping[str, bytes], unread: str
) -> tuple[AttemptState, str, str] | None:
    """The first reason why this attempt has no result, if there is one: state, sentence, whose
    fault.
    """
    codes, signals = exit_.get("codes") or [], exit_.get("signals") or []
    words = _last_words(files)
    if exit_.get("error"):
        return AttemptState.FAILED, f"the agent failed: {exit_['error']}", Fault.BENCHLAB
    if exit_.get("cancelled"):
        return AttemptState.CANCELLED, CANCELLED, ""
    if exit_.get("timed_out"):
        return (
            AttemptState.FAILED,
            "ended by benchlab: it ran far longer than it should",
            Fault.TOOL,
        )
    if exit_.get("over_limit"):
        return (
            AttemptState.FAILED,
            "ended by benchlab: it wrote more output than allowed",
            Fault.TOOL,
        )
    if any(signals):
        return (
            AttemptState.FAILED,
            f"the tool was killed by signal {signals[-1]}{words}",
            Fault.TOOL,
        )
    if not codes or any(code != 0 for code in codes):
        code = next((c for c in codes if c != 0), None)
        return AttemptState.FAILED, f"the tool ended with exit code {code}{words}", Fault.TOOL
    if unread:
        return AttemptState.FAILED, unread, Fault.TOOL
    return None


def _last_words(files: Mapping[str, bytes]) -> str:
    lines = files.get("stderr", b"").decode("utf-8", "replace").strip().splitlines()
    said = [line.strip() for line in lines if line.strip()][-3:]
    return f"; it said: {' / '.join(said)[:500]}" if said else ""


def _doubts(attempt: Attempt, parsed: Parsed | None) -> str:
    """Why figures that look right must not be compared."""
    tuning = attempt.exit.get("tuning") or {}
    target = attempt.spec.get("target") or {}
    if tuning.get("changed"):
        return f"a setting did not keep its value during the run: {_settings(tuning['changed'])}"
    if abs(attempt.exit.get("clock_step") or 0.0) > CLOCK_STEP:
        return f"the host's clock jumped by {attempt.exit['clock_step']:.1f} s during the run"
    after = attempt.exit.get("identity_after")
    if target.get("kind") == "disk" and after is not None and after != target.get("identity"):
        return "the disk was another one after the run than before it"
    if parsed is not None and parsed.completeness == "partial":
        return "the output is incomplete: " + "; ".join(parsed.warnings[:3])
    return ""


def _settings(changed: list[Any]) -> str:
    return ", ".join(str(c.get("name", c)) if isinstance(c, dict) else str(c) for c in changed)
