"""States of runs, cases, attempts and jobs; failure causes."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class RunState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    LOST = "lost", _("lost")


class CaseState(models.TextChoices):
    PENDING = "pending", _("waiting")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    LOST = "lost", _("lost")
    UNCONFIRMED = "unconfirmed", _("ended (unconfirmed)")
    SKIPPED = "skipped", _("skipped")


class Purpose(models.TextChoices):
    """Reason for a case; only cases that measure are compared."""

    MEASURE = "measure", _("measures")
    PRECONDITION = "precondition", _("preconditioning")
    TRANSITION = "transition", _("before the steady state")


class AttemptState(models.TextChoices):
    """States of an attempt in their order; transitions only go forward (`services.transitions`).

    Unconfirmed: an admin abandoned the attempt; it may still run on its host.
    """

    CLAIMED = "claimed", _("claimed")
    PREFLIGHT = "preflight", _("checking the host")
    RUNNING = "running", _("running")
    COLLECTING = "collecting", _("collecting")
    PARSING = "parsing", _("reading the output")
    SUCCEEDED = "succeeded", _("succeeded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    LOST = "lost", _("lost")
    UNCONFIRMED = "unconfirmed", _("ended (unconfirmed)")


class JobState(models.TextChoices):
    """Last state of a job as reported by the agent; an invalid report is not used."""

    OPEN = "open", _("not ended")
    NOT_FOUND = "not_found", _("not on its host")
    DONE = "done", _("done")
    REFUSED = "refused", _("refused")
    LOST = "lost", _("lost")
    INVALID_RESPONSE = "invalid_response", _("invalid response")


class FailureCause(models.TextChoices):
    """Side that can fix a failure."""

    PLAN = "plan", _("test plan")
    HOST = "host", _("host")
    HARDWARE = "hardware", _("hardware")
    TOOL = "tool", _("tool")
    BENCHLAB = "benchlab", _("benchlab")


class Priority(models.IntegerChoices):
    """Priority in the queue; waiting runs gain one for each day (`selectors.queue`)."""

    LOW = 0, _("low")
    NORMAL = 1, _("normal")
    HIGH = 2, _("high")


class Origin(models.TextChoices):
    LAUNCHED = "launched", _("run by benchlab")
    IMPORTED = "imported", _("imported")


FINAL_RUN = (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED, RunState.LOST)
FINAL_CASE = (
    CaseState.SUCCEEDED,
    CaseState.FAILED,
    CaseState.CANCELLED,
    CaseState.LOST,
    CaseState.UNCONFIRMED,
    CaseState.SKIPPED,
)
BAD_CASE = (CaseState.FAILED, CaseState.LOST, CaseState.UNCONFIRMED)
FINAL_ATTEMPT = (
    AttemptState.SUCCEEDED,
    AttemptState.FAILED,
    AttemptState.CANCELLED,
    AttemptState.LOST,
    AttemptState.UNCONFIRMED,
)
# Endings without figures that may be compared.
BAD_ATTEMPT = tuple(state for state in FINAL_ATTEMPT if state != AttemptState.SUCCEEDED)
# The states in which a tool was started on a host, as far as anybody knows.
STARTED_ATTEMPT = (AttemptState.RUNNING, AttemptState.COLLECTING, AttemptState.PARSING)
