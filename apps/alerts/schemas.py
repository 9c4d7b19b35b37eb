"""Stored formats of notifications."""

from __future__ import annotations

from typing import Literal

from apps.common.schemas.versioned_json import VersionedSchema

Way = Literal["mail", "webhook"]

LINES: VersionedSchema[list[str]] = VersionedSchema(list[str])
"""One line per cause."""
DELIVERED_TO: VersionedSchema[list[Way]] = VersionedSchema(list[Way])
"""Channels that accepted the notification; a retry skips them."""
