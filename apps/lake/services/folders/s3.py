"""Prefix of an S3 bucket, with the keys and the endpoint of the store of raw output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from tempfile import TemporaryFile
from typing import IO, Any, cast

from botocore.exceptions import ClientError
from django.conf import settings
from storages.backends.s3 import S3Storage

from apps.blobs.services.storages.s3 import as_os_error
from apps.lake.domain.file_names import MANIFEST, counted_manifest, generation_of
from apps.lake.domain.refusal import LakeRefusal
from apps.tools.messages import message

EXISTS = 412, 409
"""Answers to the second of two writers (`If-None-Match`)."""


class S3Folder:
    """Prefix whose manifest one writer at a time can continue.

    The manifest is first created under a counted name, which exists once, and then copied to its
    own. A writer that is stopped in between leaves a newer counted one, which is the manifest.
    """

    def __init__(self, bucket: str, prefix: str) -> None:
        self.bucket, self.prefix = bucket, prefix
        self.location = f"s3://{bucket}/{prefix}".rstrip("/")

    @cached_property
    def _client(self) -> Any:
        options = cast(dict[str, Any], settings.STORAGES["artifacts-s3"])["OPTIONS"]
        storage = S3Storage(bucket_name=self.bucket, endpoint_url=options["endpoint_url"])
        return storage.connection.meta.client

    def exists(self) -> bool:
        return bool(self.names())

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Do nothing: `manifest_write` refuses the second writer."""
        yield

    def names(self) -> dict[str, datetime]:
        """Return all objects with the times of their writing."""
        with as_os_error():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket, Prefix=self.prefix
            )
            return {
                entry["Key"].removeprefix(self.prefix): entry["LastModified"]
                for page in pages
                for entry in page.get("Contents", ())
            }

    def read(self, name: str) -> bytes | None:
        """Return a small object; None if it is missing."""
        with as_os_error():
            try:
                answer = self._client.get_object(Bucket=self.bucket, Key=self.prefix + name)
                return bytes(answer["Body"].read())
            except self._client.exceptions.NoSuchKey:
                return None

    def manifest_read(self) -> bytes | None:
        """Return the newest manifest; None without one."""
        counted = [name for name in self.names() if generation_of(name) is not None]
        return self.read(max(counted)) if counted else self.read(MANIFEST)

    @contextmanager
    def new_file(self, name: str) -> Iterator[IO[bytes]]:
        """Open a local file, which is uploaded when it is whole."""
        with TemporaryFile() as file:
            yield file
            file.seek(0)
            with as_os_error():
                self._client.upload_fileobj(file, self.bucket, self.prefix + name)

    def write(self, name: str, content: bytes) -> None:
        """Write or replace a small object."""
        with as_os_error():
            self._client.put_object(Bucket=self.bucket, Key=self.prefix + name, Body=content)

    def create(self, name: str, content: bytes) -> bool:
        """Write a small object unless it exists. Return True if it was written."""
        key = self.prefix + name
        with as_os_error():
            try:
                self._client.put_object(Bucket=self.bucket, Key=key, Body=content, IfNoneMatch="*")
            except ClientError as error:
                if error.response["ResponseMetadata"]["HTTPStatusCode"] in EXISTS:
                    return False
                raise
        return True

    def manifest_write(self, generation: int, document: bytes) -> None:
        """Create the counted manifest, then replace the manifest.

        Raises: LakeRefusal if another writer has created it.
        """
        if not self.create(counted_manifest(generation), document):
            raise LakeRefusal(
                message(
                    "Another export has written %(location)s meanwhile.", location=self.location
                )
            )
        self.write(MANIFEST, document)

    def delete(self, name: str) -> None:
        with as_os_error():
            self._client.delete_object(Bucket=self.bucket, Key=self.prefix + name)
