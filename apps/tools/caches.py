"""Commands that several plugins share: an empty page cache before a buffered test."""

from __future__ import annotations

from .procedure import Command


def drop_caches() -> tuple[Command, ...]:
    """Write everything back, drop the page cache, and verify that nothing of the test's own disk or
    files is left in it (docs/development/agent.md, `@drop-caches`). Needs root.
    """
    return (Command("drop-caches", ("@drop-caches",), seconds=600.0),)
