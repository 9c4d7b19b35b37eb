"""Runs whose blocks are added until every comparison is decided."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.plans.schemas.factors import MOST_LETTERS, TUNING, factor_words
from apps.runs.models.runs import Run


class Until(models.Model):
    """Limits of a launch (`addition` 0) or of the addition of that position: blocks from
    `first_block` on, until every interval is within `within` percent, `last_block` is reached, or
    its tests have taken `hours`; `factor`: between what it is decided (plans.cases.exchange). The
    figures are looked at after each of them, so what a verdict may spend of the permitted error
    depends on it.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="untils", db_index=False)
    addition = models.PositiveIntegerField(default=0)
    within = models.FloatField()
    first_block = models.PositiveIntegerField()
    last_block = models.PositiveIntegerField()
    hours = models.FloatField(null=True)
    factor = models.CharField(max_length=MOST_LETTERS, default=TUNING)

    class Meta:
        ordering: ClassVar[list[str]] = ["run", "addition"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "addition"], name="one_until_an_addition")
        ]

    def __str__(self) -> str:
        return f"run {self.run_id} within {self.within:g} %"

    @property
    def between(self) -> str:
        """Between what it is decided, in words."""
        return factor_words(self.factor)
