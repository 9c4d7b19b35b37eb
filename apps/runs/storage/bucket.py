"""Packed bytes as objects of an S3 bucket (django-storages, boto3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile, File

from apps.common.web.downloads import PIECE
from apps.runs.models import Blob
from apps.runs.storage.naming import sha256_of, stored_name
from apps.runs.storage.new_blob import NewBlob

if TYPE_CHECKING:
    from storages.backends.s3 import S3Storage

MARK = "benchlab"
"""The object that says whose prefix it is."""
IN_MEMORY = 4 << 20
"""Bytes of one object in memory while it is sent; more are in a temporary file."""


class BucketStore:
    """Objects named by the SHA-256 of their unpacked bytes: `ab/abcd…`, below the installation's
    prefix. S3 shows an object only when it is whole.
    """

    def __init__(self, storage: S3Storage) -> None:
        self.storage = storage

    def claim(self, token: str) -> None:
        """Mark the prefix as this installation's. Raises OSError where it is another one's."""
        with _as_os_error():
            if not self.storage.exists(MARK):
                self.storage.save(MARK, ContentFile(token.encode()))
            with self.storage.open(MARK, "rb") as file:
                found = file.read().decode(errors="replace")
        if found != token:
            name = f"s3://{self.storage.bucket_name}/{self.storage.location}"
            raise OSError(f"{name} is in use by another installation: choose another prefix")

    def write(self, new: Iterable[NewBlob]) -> None:
        for item in new:
            with SpooledTemporaryFile(max_size=IN_MEMORY) as file, _as_os_error():
                file.writelines(item.pieces)
                file.seek(0)
                self.storage.save(stored_name(item.blob.sha256), File(file))

    def pieces(self, blob: Blob) -> Iterator[bytes]:
        with _as_os_error():
            try:
                with self.storage.open(stored_name(blob.sha256), "rb") as file:
                    yield from file.chunks(PIECE)
            except FileNotFoundError:
                return

    def forget(self, sha256s: Collection[str]) -> None:
        with _as_os_error():
            for sha256 in sha256s:
                self.storage.delete(stored_name(sha256))

    def names(self) -> Iterator[str]:
        with _as_os_error():
            for found in self.storage.bucket.objects.filter(Prefix=self.storage.location):
                if sha256 := sha256_of(found.key.removeprefix(self.storage.location)):
                    yield sha256

    def size(self, sha256: str) -> int | None:
        """Packed bytes of this content; None where it is not there. Raises OSError."""
        with _as_os_error():
            try:
                return int(self.storage.size(stored_name(sha256)))
            except FileNotFoundError:
                return None


def bucket(name: str, endpoint: str, prefix: str) -> S3Storage:
    """A bucket, below a prefix, of the S3 at an address (AWS without one). Keys and region are
    looked for where every program that uses boto3 looks for them: AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY, AWS_DEFAULT_REGION, a machine's role. Raises ImproperlyConfigured.
    """
    # boto3 takes half a second to load: only who keeps anything in S3 waits for it.
    from storages.backends.s3 import S3Storage

    if not name:
        raise ImproperlyConfigured("BENCHLAB_S3_BUCKET says which bucket; it is not set.")
    below = prefix.strip("/")
    return S3Storage(
        bucket_name=name,
        endpoint_url=endpoint or None,
        location=f"{below}/" if below else "",
        file_overwrite=True,
        default_acl=None,
        gzip=False,
        max_memory_size=IN_MEMORY,
    )


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Errors of boto3 become OSError, which every store raises: the bytes cannot be had just
    now.
    """
    from boto3.exceptions import Boto3Error
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (BotoCoreError, ClientError, Boto3Error) as error:
        raise OSError(f"S3: {error}") from error
