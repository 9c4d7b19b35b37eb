"""Changes of runs that have ended."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.runs.models.runs import Run


class RunChange(models.Model):
    """The last change that a connection to the database made to what an ended run consists of: its
    cases, attempts, results, diary and so on. Triggers of the database keep it, in the transaction
    of the change (migration `versions_of_runs`).

    A row for each connection (`backend`), so that two changes never wait for each other: all
    versions of a run together say which state it is in (apps.runs.stamps).
    """

    run = models.ForeignKey(
        Run, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    backend = models.IntegerField()
    version = models.BigIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "backend"], name="a_change_for_each_backend")
        ]

    def __str__(self) -> str:
        return f"run {self.run_id}: {self.version}"
