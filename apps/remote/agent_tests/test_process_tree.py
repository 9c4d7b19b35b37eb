"""Finding a job's processes by the lock they hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from apps.remote.agent.processes.tree import holds_lock

CHURN = """
import os, sys
held = os.open(sys.argv[1], os.O_RDWR)
print("held", flush=True)
while True:
    for number in [os.open("/dev/null", os.O_RDONLY) for _ in range(20)]:
        os.close(number)
"""


def test_a_holder_that_opens_and_closes_files_all_the_time_is_found(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.touch()
    found = os.stat(lock)
    holder = subprocess.Popen([sys.executable, "-c", CHURN, str(lock)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert all(holds_lock(holder.pid, (found.st_dev, found.st_ino)) for _ in range(300))
    finally:
        holder.kill()
        holder.communicate()


def test_a_waiter_that_only_reads_the_lock_is_no_holder(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.touch()
    found = os.stat(lock)
    with lock.open():
        assert not holds_lock(os.getpid(), (found.st_dev, found.st_ino))
    with lock.open("r+"):
        assert holds_lock(os.getpid(), (found.st_dev, found.st_ino))
