"""Names of the dictionaries of tests: what they read as a script does, and what they ask for."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]
"""A member that is missing, or of another type than the test expects, fails the test."""

Changes = dict[str, Any]
"""Arguments of a factory, a form or an address in which a test differs from what is usual there."""
