"""Commands of several plugins that empty the page cache before a buffered test."""

from __future__ import annotations

from .procedure import Command


def drop_caches() -> tuple[Command, ...]:
    """Return the command that syncs and drops the page cache, and verifies the result.

    It needs root. It verifies that no pages of the test's disk or files are left
    (docs/development/agent.md, `@drop-caches`).
    """
    return (Command("drop-caches", ("@drop-caches",), seconds=600.0),)
