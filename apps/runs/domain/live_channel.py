"""Names of the Valkey streams with the live metrics of runs."""

from __future__ import annotations

# Maximum entries per run: an hour of one sample and one device reading a second.
LENGTH = 7_200


def stream_key(run_id: int) -> str:
    return f"benchlab:live:{run_id}"
