"""Runs, their cases, the attempts made at them, and what each attempt left behind."""

from apps.runs.models.artifacts import Artifact
from apps.runs.models.attempts import Attempt, RunEvent
from apps.runs.models.cases import Case
from apps.runs.models.expectations import RunExpectation
from apps.runs.models.extensions import RunExtension
from apps.runs.models.given_up import GivenUp
from apps.runs.models.jobs import AttemptJob
from apps.runs.models.pulses import Pulse
from apps.runs.models.runs import Claim, Run
from apps.runs.models.states import (
    BAD_CASE,
    FINAL_ATTEMPT,
    FINAL_CASE,
    FINAL_RUN,
    STARTED_ATTEMPT,
    AttemptState,
    CaseState,
    Fault,
    JobState,
    Origin,
    Purpose,
    RunState,
)
from apps.runs.models.targets import Member, RunTarget
from apps.runs.models.tunings import RunTuning

__all__ = [
    "BAD_CASE",
    "FINAL_ATTEMPT",
    "FINAL_CASE",
    "FINAL_RUN",
    "STARTED_ATTEMPT",
    "Artifact",
    "Attempt",
    "AttemptJob",
    "AttemptState",
    "Case",
    "CaseState",
    "Claim",
    "Fault",
    "GivenUp",
    "JobState",
    "Member",
    "Origin",
    "Pulse",
    "Purpose",
    "Run",
    "RunEvent",
    "RunExpectation",
    "RunExtension",
    "RunState",
    "RunTarget",
    "RunTuning",
]
