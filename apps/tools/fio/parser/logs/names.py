"""Names of log files, which determine the meaning of the values.

fio writes `<name>_<kind>.<job>.log`, without the job's number under `per_job_logs=0`, and appends
the client's name if a server ran the job (fio(1), "write_bw_log"; client.c).
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
    """Parts of a log's name.

    `stem`: common to all logs of one fio; `job`: number from 1, None if all jobs share the file;
    `host`: the client's name, "" without one.
    """

    stem: str
    kind: LogKind
    job: int | None = None
    host: str = ""


def log_name(path: str) -> LogName | None:
    """Return the parts of a log's file name; None for other names."""
    match = _NAME.fullmatch(path) if len(path) < 4096 else None
    if match is None:
        return None
    job = int(match["job"]) if match["job"] else None
    return LogName(match["stem"], _KINDS[match["kind"]], job, match["host"] or "")
