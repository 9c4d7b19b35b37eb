"""Abandoned attempts: ended without confirmation from the host."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.inventory.models import Host
from apps.runs.models.attempts import Attempt


class AbandonedAttempt(models.Model):
    """A host on which an attempt may still run, although the attempt has ended.

    `resources`: the claims that stay until `ended_at`, see `Claim`.
    `abandoned_by`: None if benchlab abandoned the attempt.
    `confirmed`: the host confirmed the end; else the admin `ended_by` did, see `confirmation_note`.
    """

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="abandonments", db_index=False
    )
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="+")
    resources = ArrayField(models.CharField(max_length=420), default=list)
    abandoned_at = models.DateTimeField(auto_now_add=True)
    abandoned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.TextField()
    ended_at = models.DateTimeField(null=True)
    confirmed = models.BooleanField(default=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    confirmation_note = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["attempt", "host"], name="uniq_abandoned_attempt_host")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["host"],
                condition=models.Q(ended_at__isnull=True),
                name="abandoned_unconfirmed",
            )
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id} on {self.host_id}"

    @property
    def jobs(self) -> list[str]:
        """Return the agent's ids of the jobs that may run on the host."""
        jobs = self.attempt.jobs.all()
        return [str(job.pk) for job in jobs if job.host_id == self.host_id]
