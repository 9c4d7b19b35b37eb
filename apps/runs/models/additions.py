"""Repeats that were added to a run after it had ended."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from apps.runs.models.runs import Run


class Addition(models.Model):
    """`repeats` more of every test of a run, or of some of them, in the blocks `first_block` to
    `last_block` (0 where cases ran as listed). Each is one more look at the same comparison, so
    what its verdicts may spend of the permitted error depends on it. With an `Until` these are its
    first block; the others are in the run's decisions.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="additions", db_index=False)
    position = models.PositiveIntegerField()
    repeats = models.PositiveIntegerField()
    first_block = models.PositiveIntegerField()
    last_block = models.PositiveIntegerField()
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="additions_are_numbered")
        ]

    def __str__(self) -> str:
        return f"{self.repeats} repeats added to run {self.run_id}"
