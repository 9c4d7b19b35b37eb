"""The name of a log file -> what its values are.

fio writes `<name>_<kind>.<job>.log`, without the job's number under `per_job_logs=0`, and adds the
client's name behind it where a server ran the job (fio(1), "write_bw_log"; client.c).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

LogKind = Literal["bw", "iops", "lat", "clat", "slat", "hist"]
_NAME = re.compile(
    r"(?:^|.*/)(?P<stem>[^/]*?)_(?P<kind>bw|iops|slat|clat_hist|clat|lat|hist)"
    r"(?:\.(?P<job>\d{1,6}))?\.log(?:\.(?!(?:gz|bz2|xz|zst|fz|old|bak)$)(?P<host>[\w.-]{1,64}))?"
)
_KINDS: dict[str, LogKind] = {
    **{"bw": "bw", "iops": "iops", "lat": "lat", "clat": "clat", "slat": "slat"},
    **{"clat_hist": "hist", "hist": "hist"},
}


@dataclass(frozen=True)
class LogName:
    """`stem`: what all logs of one fio share; `job`: its number from 1, None where all jobs share
    the file; `host`: the client's name, "" without one.
    """

    stem: str
    kind: LogKind
    job: int | None = None
    host: str = ""


def log_name(path: str) -> LogName | None:
    """The parts of a log's file name; None for a file that is no log by its name."""
    match = _NAME.fullmatch(path) if len(path) < 4096 else None
    if match is None:
        return None
    job = int(match["job"]) if match["job"] else None
    return LogName(match["stem"], _KINDS[match["kind"]], job, match["host"] or "")
