"""Django storage of compressed bytes in PostgreSQL."""

from __future__ import annotations

import struct
from tempfile import SpooledTemporaryFile
from typing import Any

from django.core.files.base import File
from django.core.files.storage import Storage
from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Length

from apps.blobs.domain.names import sha256_from_name
from apps.blobs.models import Blob, BlobContent
from apps.common.web.downloads import PIECE, column_pieces

_INSERT = (
    "INSERT INTO blobs_blobcontent (blob_id, content)"
    " SELECT id, %s FROM blobs_blob WHERE sha256 = %s"
)
# Binary COPY takes a large value in pieces, INSERT only as a whole. Format: PostgreSQL
# documentation, "COPY", section "Binary Format".
_COPY = "COPY blobs_blobcontent (blob_id, content) FROM STDIN (FORMAT BINARY)"
_COPY_BEGIN, _COPY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), struct.pack("!h", -1)
_ROW = struct.Struct("!hiqi")  # two fields: a key of 8 bytes, and the length of the value


class PostgresqlStorage(Storage):
    """Rows of BlobContent. The blob's row exists before `save`."""

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        file = SpooledTemporaryFile(max_size=PIECE)  # noqa: SIM115 # closed with the File
        file.writelines(column_pieces(self._rows(name), "content"))
        if not file.tell():
            file.close()
            raise FileNotFoundError(f"{name} is not in the database")
        file.seek(0)
        return File(file, name)

    def _save(self, name: str, content: File[bytes]) -> str:
        sha256 = sha256_from_name(name)
        if content.size <= PIECE:
            with connection.cursor() as cursor:
                cursor.execute(_INSERT, [content.read(), sha256])
            return name
        blob = Blob.objects.only("pk").get(sha256=sha256)
        with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.write(_COPY_BEGIN + _ROW.pack(2, 8, blob.pk, content.size))
            for piece in content.chunks(PIECE):
                copy.write(piece)
            copy.write(_COPY_END)
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def delete(self, name: str) -> None:
        self._rows(name).delete()

    def exists(self, name: str) -> bool:
        return self._rows(name).exists()

    def size(self, name: str) -> int:
        size: int | None = self._rows(name).values_list(Length("content"), flat=True).first()
        if size is None:
            raise FileNotFoundError(f"{name} is not in the database")
        return size

    def _rows(self, name: str) -> QuerySet[Any]:
        return BlobContent.objects.filter(blob__sha256=sha256_from_name(name))
