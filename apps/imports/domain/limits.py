"""Limits of one import. docs/howto/import.md says these numbers to people."""

from __future__ import annotations

import re
from datetime import timedelta

from django.conf import settings

MIB = 1024**2
MOST_FILES = 10_000
LONGEST_PATH = 400
DEEPEST_PATH = 32
HOST_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")  # inventory.models.Host.name
# A compressed member may grow this far without a question, and by this factor beyond it. fio's JSON
# packs to a tenth, its logs to a thirtieth; zeros to a thousandth.
GROWS_FREELY = 4 * MIB
MOST_GROWTH = 200
# What is read while the request waits; more than that is a worker's. The slowest text takes some
# five seconds a MiB; after READ_AT_ONCE_SECONDS no other file is begun.
READ_AT_ONCE_FILES = 300
READ_AT_ONCE_BYTES = MIB // 2
READ_AT_ONCE_SECONDS = 2.0
# A dry run that a worker has to read stays so long for whoever asked.
DRY_RUN_STAYS = timedelta(hours=1)
# A larger file is taken in, and read where its tool can, a piece at a time.
WHOLE = 16 * MIB
# zstd's level for files that wait: they are not packed again when they are stored.
PACKING = 6


def most_bytes() -> int:
    """Bytes of one import, unpacked; also of one file and of one request."""
    return int(settings.BENCHLAB_IMPORT_MAX_MIB) * MIB
