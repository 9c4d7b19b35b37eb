"""Stored shapes of messages: their sentences, and the ways that took them."""

from __future__ import annotations

from typing import Literal

from apps.common.stored.contracts import Contract

Way = Literal["mail", "hook"]

LINES: Contract[list[str]] = Contract(list[str])
"""A sentence for each cause."""
DONE: Contract[list[Way]] = Contract(list[Way])
"""Ways on which a message has left, so that a second try does not send it there again."""
