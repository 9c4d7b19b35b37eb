"""Errors at the start, with a message for the user."""

from __future__ import annotations


class StartError(Exception):
    """benchlab cannot start or continue; the message is printed."""
