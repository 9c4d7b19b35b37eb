"""Why an attempt could not be driven."""

from __future__ import annotations


class HostUnusable(Exception):
    """A host is unusable before any job started; its other cases are not tried."""

    def __init__(self, host_id: int, message: str) -> None:
        super().__init__(message)
        self.host_id = host_id
