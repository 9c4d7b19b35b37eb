"""Refusal of an export."""

from __future__ import annotations

from apps.common.errors import ServiceError
from apps.tools.messages import TranslatableMessage


class LakeRefusal(ServiceError):
    """Refused export, with a message that its record keeps translatable."""

    def __init__(self, reason: TranslatableMessage) -> None:
        super().__init__(reason)
        self.args = (reason,)
