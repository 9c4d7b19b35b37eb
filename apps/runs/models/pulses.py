"""Signs of life of the processes that a run needs."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Pulse(models.Model):
    """One process that said it is there: `at` is when it last did, by the database's clock.

    An engine writes its own after each look for work, a worker while it is connected to the broker,
    beat when it looks at the schedules. An orderly end deletes the row.
    """

    class Part(models.TextChoices):
        ENGINE = "engine", _("engine")
        WORKER = "worker", _("worker")
        BEAT = "beat", _("beat")

    part = models.CharField(max_length=10, choices=Part.choices)
    process = models.CharField(max_length=120)
    since = models.DateTimeField()
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["part", "-at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["part", "process"], name="one_pulse_a_process")
        ]

    def __str__(self) -> str:
        return f"{self.part} {self.process}"
