"""The live stream of a run: where the worker writes and the browser's page reads (a Valkey
stream).
"""

from __future__ import annotations

# Entries kept per run: an hour of one sample and one device reading a second.
LENGTH = 7_200


def stream_key(run_id: int) -> str:
    """The stream's name."""
    return f"benchlab:live:{run_id}"
