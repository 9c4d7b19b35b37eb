"""The text of a file: UTF-8, or UTF-16 as spreadsheets write it, in one form of line ends."""

from __future__ import annotations

import codecs

from django.utils.translation import gettext as _

from apps.common.domain.typed_text import narrow
from apps.inventory.domain.host_lists.rows import MAX_BYTES, ListError


def decode(data: bytes) -> str:
    """Return the text of a file.

    Raises: ListError for a file that is too large or not text.
    """
    if len(data) > MAX_BYTES:
        raise ListError(too_large_text())
    encoding = "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ListError(
            _("The file is not UTF-8 text (byte %(number)d). Save it as “CSV UTF-8” or plain text.")
            % {"number": error.start + 1}
        ) from error
    if "\0" in text:
        raise ListError(_("The file is not text. Save a spreadsheet as “CSV UTF-8”."))
    return text


def unify(text: str) -> str:
    """Return the text with ASCII commas, digits and brackets, and "\\n" at the end of lines.

    Raises: ListError for a text that is too large.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ListError(too_large_text())
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return narrow(lines)


def too_large_text() -> str:
    return _("The list is larger than 1 MiB. Split it.")
