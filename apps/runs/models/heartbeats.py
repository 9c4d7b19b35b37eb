"""Heartbeats of the processes that runs need."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """Last sign of life of one process, in the database's time.

    An engine writes it after each reconciliation, a worker while it is connected to the broker,
    beat when it checks the schedules. A clean shutdown deletes the row.
    """

    class Component(models.TextChoices):
        ENGINE = "engine", _("engine")
        WORKER = "worker", _("worker")
        BEAT = "beat", _("beat")

    component = models.CharField(max_length=10, choices=Component.choices)
    process_name = models.CharField(max_length=120)
    started_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["component", "-last_seen_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["component", "process_name"], name="uniq_heartbeat_process"
            )
        ]

    def __str__(self) -> str:
        return f"{self.component} {self.process_name}"
