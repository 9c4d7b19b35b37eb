"""Remaining limits of an import while files are received."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.common.domain.units import binary_bytes
from apps.common.errors import ServiceError
from apps.imports.domain.limits import GROWS_FREELY, MAX_FILES, MAX_GROWTH


class ImportTooLarge(ServiceError):
    """Import above its limits; nothing is stored."""

    kind = "too_large"

    def __init__(self, message: str) -> None:
        super().__init__(message, status=413)


def too_many() -> ImportTooLarge:
    """Return the error for more files than an import may have."""
    text = _("More than %(most)d files: import them in parts.")
    return ImportTooLarge(text % {"most": MAX_FILES})


class ArchiveBudget:
    """Counter of files and of unpacked bytes.

    `most`: limit in bytes of one file; if `in_all`, of all files together.
    """

    def __init__(self, most: int, *, in_all: bool = True) -> None:
        self.most = most
        self._in_all = in_all
        self._bytes = 0
        self._files = 0

    def file(self) -> None:
        """Count one file.

        Raises: ImportTooLarge.
        """
        self._files += 1
        if self._files > MAX_FILES:
            raise too_many()

    def check(self, size: int, packed: int | None = None) -> None:
        """Check whether a file may have `size` bytes, unpacked from `packed` bytes.

        Raises: ImportTooLarge.
        """
        if (self._bytes if self._in_all else 0) + size > self.most:
            text = _("More than %(most)s once unpacked: import it in parts.")
            raise ImportTooLarge(text % {"most": binary_bytes(self.most)})
        if packed is not None and size > GROWS_FREELY + MAX_GROWTH * packed:
            text = _("A file in it unpacks to more than %(factor)d times its size; no result does.")
            raise ImportTooLarge(text % {"factor": MAX_GROWTH})

    def spend(self, size: int) -> None:
        """Count the bytes of a received file."""
        self._bytes += size
