"""Why a tuning profile is refused."""

from __future__ import annotations

from apps.common.errors import ServiceError


class TuningError(ServiceError):
    """A profile that cannot be kept or changed. A setting's sentences are at "settings.<name>"."""
