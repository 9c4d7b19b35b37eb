"""The audit log."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """Recorded action: who, when, what, from where, and its outcome. Immutable."""

    timestamp = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    username = models.CharField(_("user"), max_length=150)
    address = models.CharField(_("from"), max_length=64, blank=True)
    action = models.CharField(_("action"), max_length=40)
    object_type = models.CharField(_("object"), max_length=40)
    object_id = models.CharField(max_length=64, blank=True)
    label = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["action", "username", "timestamp"], name="accounts_audit_by_action"
            )
        ]

    def __str__(self) -> str:
        return f"{self.username} {self.action} {self.object_type} {self.label}"
