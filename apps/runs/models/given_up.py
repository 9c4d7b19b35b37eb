"""Tests that people gave up on without proof that they have ended."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.inventory.models import Host
from apps.runs.models.attempts import Attempt


class GivenUp(models.Model):
    """A host on which an attempt may still run although it counts as ended. What the attempt used
    there (`resources`, as in `Claim`) stays claimed until `ended_at`: the host proved the end
    (`proven`), or an admin said so (`ended_by`, `ended_reason`).

    `given_up_by` is None where benchlab itself gave up.
    """

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="given_up", db_index=False
    )
    host = models.ForeignKey(Host, on_delete=models.PROTECT, related_name="+")
    resources = ArrayField(models.CharField(max_length=420), default=list)
    given_up_at = models.DateTimeField(auto_now_add=True)
    given_up_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.TextField()
    ended_at = models.DateTimeField(null=True)
    proven = models.BooleanField(default=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    ended_reason = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["attempt", "host"], name="given_up_once_a_host")
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["host"],
                condition=models.Q(ended_at__isnull=True),
                name="given_up_and_unproven",
            )
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id} on {self.host_id}"

    @property
    def jobs(self) -> list[str]:
        """The agent's ids of what may run on the host."""
        jobs = self.attempt.jobs.all()
        return [str(job.pk) for job in jobs if job.host_id == self.host_id]
