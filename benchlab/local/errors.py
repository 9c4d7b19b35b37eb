"""Errors at the start, told to a person in one sentence."""

from __future__ import annotations


class StartError(Exception):
    """benchlab cannot start or go on; the message is the sentence to print."""
