"""Operations of iozone: columns, numbers (-i), and names in throughput mode and Excel report.

Source: iozone 3.489, iozone.c; iozone(1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# iozone's defaults for the size of the processor cache and of its lines, in bytes.
CACHE_SIZE = 1024**2
CACHE_LINE = 32

# Columns of the table in order: word of the heading, benchlab's operation.
COLUMNS = (
    ("write", "write"),
    ("rewrite", "rewrite"),
    ("read", "read"),
    ("reread", "reread"),
    ("read", "random_read"),
    ("write", "random_write"),
    ("read", "backward_read"),
    ("rewrite", "record_rewrite"),
    ("read", "stride_read"),
    ("fwrite", "fwrite"),
    ("frewrite", "frewrite"),
    ("fread", "fread"),
    ("freread", "freread"),
    ("pwrite", "pwrite"),
    ("repwrite", "repwrite"),
    ("pread", "pread"),
    ("repread", "repread"),
)
ORDER = tuple(operation for _, operation in COLUMNS)
# The random mix has no column: it exists in throughput mode only.
OPERATIONS = (*ORDER[:13], "random_mix", *ORDER[13:])

# On data that the same call wrote or read just before.
WARM_OPERATIONS = frozenset({"rewrite", "reread", "frewrite", "freread"})

# Without a column in the table.
THROUGHPUT_ONLY = frozenset({"random_mix", "pwrite", "pread"})

TESTS: Mapping[int, tuple[str, ...]] = {
    0: ("write", "rewrite"),
    1: ("read", "reread"),
    2: ("random_read", "random_write"),
    3: ("backward_read",),
    4: ("record_rewrite",),
    5: ("stride_read",),
    6: ("fwrite", "frewrite"),
    7: ("fread", "freread"),
    8: (),  # the random mix exists in throughput mode only
    9: ("pwrite", "repwrite"),
    10: ("pread", "repread"),
}

THROUGHPUT: Mapping[str, str] = {
    "initial writers": "write",
    "rewriters": "rewrite",
    "readers": "read",
    "initial readers": "read",
    "re-readers": "reread",
    "random readers": "random_read",
    "random writers": "random_write",
    "reverse readers": "backward_read",
    "stride readers": "stride_read",
    "mixed workload": "random_mix",
    "fwriters": "fwrite",
    "freaders": "fread",
    "pwrite writers": "pwrite",
    "pread readers": "pread",
    # Names in the report (-R).
    "initial write": "write",
    "rewrite": "rewrite",
    "read": "read",
    "re-read": "reread",
    "reverse read": "backward_read",
    "stride read": "stride_read",
    "random read": "random_read",
    "random write": "random_write",
    "pwrite": "pwrite",
    "pread": "pread",
    "fwrite": "fwrite",
    "fread": "fread",
}

REPORTS: Mapping[str, str] = {
    "writer": "write",
    "re-writer": "rewrite",
    "reader": "read",
    "re-reader": "reread",
    "random read": "random_read",
    "random write": "random_write",
    "backward read": "backward_read",
    "record rewrite": "record_rewrite",
    "stride read": "stride_read",
    "fwrite": "fwrite",
    "re-fwrite": "frewrite",
    "fread": "fread",
    "re-fread": "freread",
    "pwrite": "pwrite",
    "re-pwrite": "repwrite",
    "pread": "pread",
    "re-pread": "repread",
}

# Operations of a plan: number for -i, and measured operations.
PLANNED: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "write": (0, TESTS[0]),
    "read": (1, TESTS[1]),
    "random": (2, TESTS[2]),
    "backward_read": (3, TESTS[3]),
    "record_rewrite": (4, TESTS[4]),
    "stride_read": (5, TESTS[5]),
    "fwrite": (6, TESTS[6]),
    "fread": (7, TESTS[7]),
    "random_mix": (8, ("random_mix",)),
    "pwrite": (9, TESTS[9]),
    "pread": (10, TESTS[10]),
}

_WORDS = "|".join(sorted({word for word, _ in COLUMNS}, key=len, reverse=True))
HEADING = re.compile(rf"\bkB\s{{1,40}}reclen(?P<words>(?:\s{{1,40}}(?:{_WORDS})\b){{1,17}})", re.I)


def heading_operations(words: list[str]) -> tuple[str, ...] | None:
    """Return the operations of a heading; None if they are not iozone's first columns in order."""
    expected = [word for word, _ in COLUMNS[: len(words)]]
    return ORDER[: len(words)] if [word.lower() for word in words] == expected else None
