"""Django storage of compressed bytes in an S3 bucket (django-storages, boto3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile, File
from storages.backends.s3 import S3Storage

from apps.blobs.models import StoreIdentity

IDENTITY = "benchlab"
"""Key of the object with the owner's token."""


class OwnedS3Storage(S3Storage):  # type: ignore[misc] # django-storages has no types
    """A prefix of a bucket that one installation owns. boto3's errors become OSError.

    boto3 reads keys and region from the environment.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if not self.bucket_name:
            raise ImproperlyConfigured("BENCHLAB_S3_BUCKET is not set.")
        identity, _created = StoreIdentity.objects.get_or_create()
        self._claim(str(identity.token))

    def _claim(self, token: str) -> None:
        """Write the token into the prefix. Raises: OSError if it has another one."""
        with as_os_error():
            if not self.exists(IDENTITY):
                self.save(IDENTITY, ContentFile(token.encode()))
            with self.open(IDENTITY, "rb") as file:
                owner = file.read().decode(errors="replace")
        if owner != token:
            name = f"s3://{self.bucket_name}/{self.location}"
            raise OSError(f"{name} is in use by another installation: choose another prefix")

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        with as_os_error():
            file: File[bytes] = super()._open(name, mode)
            file.open()  # downloads it
            return file

    def _save(self, name: str, content: File[bytes]) -> str:
        with as_os_error():
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        with as_os_error():
            super().delete(name)

    def size(self, name: str) -> int:
        with as_os_error():
            return int(super().size(name))

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with as_os_error():
            folders, names = super().listdir(path)
            return folders, names


@contextmanager
def as_os_error() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError, Boto3Error) as error:
        raise OSError(f"S3: {error}") from error
