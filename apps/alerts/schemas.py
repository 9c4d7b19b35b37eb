"""Stored shapes of messages: their sentences, and the ways that took them."""

from __future__ import annotations

from typing import Literal

from apps.common.schemas.versioned_json import VersionedSchema

Way = Literal["mail", "hook"]

LINES: VersionedSchema[list[str]] = VersionedSchema(list[str])
"""A sentence for each cause."""
DONE: VersionedSchema[list[Way]] = VersionedSchema(list[Way])
"""Ways on which a message has left, so that a second try does not send it there again."""
