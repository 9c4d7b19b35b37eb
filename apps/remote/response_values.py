"""Bounded values of the agent's responses."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

# Seconds since 1970 up to the year 9999; seconds since boot.
Realtime = Annotated[float, Meta(ge=0, le=253_402_300_799)]
Monotonic = Annotated[float, Meta(ge=0, le=1e12)]
Size = Annotated[int, Meta(ge=0, le=2**62)]
# A file name without a folder.
FileName = Annotated[str, Meta(pattern=r"\A[^/\x00-\x1f]{1,80}\Z")]
