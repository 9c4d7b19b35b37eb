"""Answers of the rules that a run goes on by."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.stored.messages import MessageField
from apps.runs.models.runs import Run


class Decision(models.Model):
    """The answer of a rule (`more_repeats.going_on`) after the last case of the run had ended: more
    cases, of which `block` is the last block, or no more and why. Written with the cases, so a rule
    that was answered once for a block has given them once.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="decisions", db_index=False)
    position = models.PositiveIntegerField()
    rule = models.CharField(max_length=20)
    block = models.PositiveIntegerField()
    cases = models.PositiveIntegerField(default=0)
    reason = MessageField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "position"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "position"], name="decisions_are_numbered")
        ]

    def __str__(self) -> str:
        return f"{self.rule} after block {self.block} of run {self.run_id}"
