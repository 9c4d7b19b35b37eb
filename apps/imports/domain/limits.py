"""Limits of one import, as documented in docs/howto/import.md."""

from __future__ import annotations

import re
from datetime import timedelta

from django.conf import settings

MIB = 1024**2
MAX_FILES = 10_000
MAX_PATH_LENGTH = 400
MAX_PATH_DEPTH = 32
HOST_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")  # inventory.models.Host.name
# Unpacked bytes allowed for any compressed file, plus MAX_GROWTH times its packed size. Usual
# factors: 10 for fio's JSON, 30 for its logs, 1000 for zeros.
GROWS_FREELY = 4 * MIB
MAX_GROWTH = 200
# Limits of imports that are read within the request; a worker reads larger ones. The slowest text
# takes 5 s per MiB; no file is started after READ_AT_ONCE_SECONDS.
READ_AT_ONCE_FILES = 300
READ_AT_ONCE_BYTES = MIB // 2
READ_AT_ONCE_SECONDS = 2.0
# Lifetime of a dry run that a worker reads, so that its owner can fetch the preview.
DRY_RUN_STAYS = timedelta(hours=1)
# Larger files are received in pieces, and parsed in pieces where the tool supports it.
WHOLE = 16 * MIB
# zstd level of files before they are stored; storing does not compress them again.
PACKING = 6


def max_bytes() -> int:
    """Return the limit in bytes of one unpacked import, one file and one request."""
    return int(settings.BENCHLAB_IMPORT_MAX_MIB) * MIB
