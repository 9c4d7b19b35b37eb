"""`python -m benchlab.bench.peak parse|loads FILE`: bytes this process grew by at its peak."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from benchlab.bench.fio_runs import parsed

READERS: dict[str, Callable[[bytes], object]] = {"parse": parsed, "loads": json.loads}
WARM_UP = b'{"fio version": "fio-3.33", "jobs": []}'


def resident() -> int:
    """Bytes of memory this process has at its peak since the last reset (proc(5), VmHWM)."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found, "Linux says VmHWM"
    return int(found[1]) * 1024


def main(reader: str, file: str) -> None:
    """Read the file into memory, import everything, reset the peak, read it; print the growth."""
    data, read = Path(file).read_bytes(), READERS[reader]
    json.loads(WARM_UP)
    Path("/proc/self/clear_refs").write_text("5")  # proc(5): the peak starts at what is used now
    before = resident()
    kept = read(data)
    print(resident() - before)
    del kept


if __name__ == "__main__":
    main(*sys.argv[1:3])
