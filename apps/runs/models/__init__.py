"""Runs, their cases, the attempts made at them, and what each attempt left behind."""

from apps.runs.models.attempts import Artifact, Attempt, RunEvent
from apps.runs.models.cases import Case
from apps.runs.models.runs import Claim, Run
from apps.runs.models.states import (
    FINAL_ATTEMPT,
    FINAL_CASE,
    FINAL_RUN,
    AttemptState,
    CaseState,
    Fault,
    Origin,
    RunState,
)

__all__ = [
    "FINAL_ATTEMPT",
    "FINAL_CASE",
    "FINAL_RUN",
    "Artifact",
    "Attempt",
    "AttemptState",
    "Case",
    "CaseState",
    "Claim",
    "Fault",
    "Origin",
    "Run",
    "RunEvent",
    "RunState",
]
