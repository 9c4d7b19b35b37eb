"""Folders of lakes: on a disk, or below a prefix of an S3 bucket."""

from __future__ import annotations

from pathlib import Path

from apps.lake.domain.locations import bucket_and_prefix, is_s3
from apps.lake.domain.refusal import LakeRefusal
from apps.lake.services.folders.local import LocalFolder
from apps.lake.services.folders.s3 import S3Folder
from apps.tools.messages import message

Folder = LocalFolder | S3Folder


def folder_of(location: str) -> Folder:
    """Return the folder of a path or an s3:// URL. Raises: LakeRefusal for another URL."""
    if is_s3(location):
        return S3Folder(*bucket_and_prefix(location))
    if "://" in location:
        text = message(
            "%(location)s is neither a folder nor s3://bucket/prefix.", location=location
        )
        raise LakeRefusal(text)
    return LocalFolder(Path(location).absolute())
