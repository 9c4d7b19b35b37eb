"""Folders of lakes: on a disk, or below a prefix of an S3 bucket."""

from __future__ import annotations

from pathlib import Path

from apps.common.errors import ServiceError
from apps.lake.domain.locations import bucket_and_prefix, is_s3
from apps.lake.services.folders.local import LocalFolder
from apps.lake.services.folders.s3 import S3Folder

Folder = LocalFolder | S3Folder


def folder_of(location: str) -> Folder:
    """Return the folder of a path or an s3:// URL. Raises: ServiceError for another URL."""
    if is_s3(location):
        return S3Folder(*bucket_and_prefix(location))
    if "://" in location:
        raise ServiceError(f"{location} is neither a folder nor s3://bucket/prefix.", status=400)
    return LocalFolder(Path(location).absolute())
