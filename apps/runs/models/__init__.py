"""Runs, their cases, the attempts made at them, and what each attempt left behind."""

from apps.runs.models.abandoned_attempts import AbandonedAttempt
from apps.runs.models.approvals import ApprovalPolicy, RunApproval
from apps.runs.models.artifacts import Artifact
from apps.runs.models.attempts import Attempt, RunEvent
from apps.runs.models.backgrounds import RunBackground
from apps.runs.models.cases import Case
from apps.runs.models.expectations import RunExpectation
from apps.runs.models.extensions import RunExtension
from apps.runs.models.heartbeats import Heartbeat
from apps.runs.models.jobs import AttemptJob
from apps.runs.models.runs import Claim, Run
from apps.runs.models.states import (
    BAD_CASE,
    FINAL_ATTEMPT,
    FINAL_CASE,
    FINAL_RUN,
    STARTED_ATTEMPT,
    AttemptState,
    CaseState,
    FailureCause,
    JobState,
    Origin,
    Priority,
    Purpose,
    RunState,
)
from apps.runs.models.targets import RunTarget, RunTargetMember
from apps.runs.models.tunings import RunTuning

__all__ = [
    "BAD_CASE",
    "FINAL_ATTEMPT",
    "FINAL_CASE",
    "FINAL_RUN",
    "STARTED_ATTEMPT",
    "AbandonedAttempt",
    "ApprovalPolicy",
    "Artifact",
    "Attempt",
    "AttemptJob",
    "AttemptState",
    "Case",
    "CaseState",
    "Claim",
    "FailureCause",
    "Heartbeat",
    "JobState",
    "Origin",
    "Priority",
    "Purpose",
    "Run",
    "RunApproval",
    "RunBackground",
    "RunEvent",
    "RunExpectation",
    "RunExtension",
    "RunState",
    "RunTarget",
    "RunTargetMember",
    "RunTuning",
]
