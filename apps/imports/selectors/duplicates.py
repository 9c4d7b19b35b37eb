"""Bytes that exist already: in the archive, or earlier in the same import."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from apps.imports.models import ImportFile
from apps.runs.models import Artifact

MAX_LENGTH = 500


class EarlierBytes:
    """Earlier occurrences of bytes by SHA-256, read in one query.

    `same`: SHA-256, number and path of files of the same import, the first ones last.
    """

    def __init__(self, digests: Iterable[str], same: Iterable[tuple[str, int, str]]) -> None:
        stored = Artifact.objects.filter(sha256__in=digests)
        self._stored = {
            digest: (run, name)
            for digest, run, name in stored.values_list(
                "sha256", "attempt__case__run_id", "attempt__case__run__name"
            )
        }
        self._first = {digest: (number, path) for digest, number, path in same}

    def sentence(self, row: ImportFile) -> str:
        """Return a message that names the earlier occurrence; "" if the bytes are new."""
        if row.sha256 in self._stored:
            run, name = self._stored[row.sha256]
            text = _("The same bytes are in run %(run)d, “%(name)s”.")
            return (text % {"run": run, "name": name})[:MAX_LENGTH]
        number, path = self._first.get(row.sha256, (row.number, ""))
        if number < row.number:
            return (_("The same bytes as in %(path)s.") % {"path": path})[:MAX_LENGTH]
        return ""
