"""Commands of a procedure in the specification of a job, and limits of every job."""

from __future__ import annotations

from uuid import UUID

from apps.execution.jobs.participants import Participant
from apps.remote.job_spec import CommandSpec
from apps.tools.procedure import Command, Procedure

# A job times out after its expected time plus this multiple of it, at least MIN_TIMEOUT_SECONDS.
TIMEOUT_FACTOR = 4.0
MIN_TIMEOUT_SECONDS = 300.0
JOB_LEASE_SECONDS = 60.0
OUTPUT_LIMIT = 256 * 1024 * 1024
# Seconds a ready host waits for the others, one of which may be unreachable for a while.
HOLD_SECONDS = 120.0
ATTEMPT_WORD, CLIENT_WORD = "{attempt}", "{client}"


def timeout_of(procedure: Procedure) -> float:
    """Return the seconds after which a job is ended."""
    return procedure.seconds + max(MIN_TIMEOUT_SECONDS, procedure.seconds * TIMEOUT_FACTOR)


def is_for(command: Command, participant: Participant) -> bool:
    """Return True if a host runs a command."""
    if command.on == "each":
        return True
    return participant.lead if command.on == "lead" else participant.role == "server"


def command_spec(attempt: UUID, command: Command, participant: Participant) -> CommandSpec:
    """Return a command of a host; `attempt` names what it creates."""
    words = {ATTEMPT_WORD: attempt.hex[:12], CLIENT_WORD: str(participant.number)}
    return {
        "role": command.role,
        "argv": [_filled(word, words) for word in command.argv],
        "files": list(command.files),
        "always": command.always,
        "may_fail": command.may_fail,
        "listens": command.listens,
        "seconds": command.seconds,
        "fills": command.fills,
    }


def _filled(argument: str, words: dict[str, str]) -> str:
    for word, text in words.items():
        argument = argument.replace(word, text)
    return argument
