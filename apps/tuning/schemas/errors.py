"""Errors of tuning profiles."""

from __future__ import annotations

from apps.common.errors import ServiceError


class TuningError(ServiceError):
    """Invalid profile or change. Sentences of a setting have the key "settings.<name>"."""
