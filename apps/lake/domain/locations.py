"""Locations of lakes: folders and s3:// URLs. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import urlsplit

SCHEME = "s3://"


def is_s3(location: str) -> bool:
    return location.startswith(SCHEME)


def bucket_and_prefix(location: str) -> tuple[str, str]:
    """Return the parts of s3://bucket/prefix. The prefix is empty or ends with a slash."""
    parts = urlsplit(location)
    prefix = parts.path.strip("/")
    return parts.netloc, f"{prefix}/" if prefix else ""


def canonical_location(location: str) -> str:
    """Return a location without a slash at its end."""
    if not is_s3(location):
        return str(PurePosixPath(location)) if location else ""
    bucket, prefix = bucket_and_prefix(location)
    return f"{SCHEME}{bucket}/{prefix}".rstrip("/")


def location_error(location: str) -> str:
    """Return why a location cannot be used by a scheduled export; empty if it can."""
    if is_s3(location):
        return "" if bucket_and_prefix(location)[0] else "the bucket is missing"
    return "" if location.startswith("/") else "it must be an absolute path or s3://bucket/prefix"
