"""Host and target of the demonstration: this machine, and a disk or directory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from apps.accounts.models import User
from apps.inventory.models import Directory, Disk, Host
from apps.inventory.services import (
    directory_create,
    disk_enrol,
    host_check_request,
    local_host_ensure,
)
from benchlab.ops.demo.loopdisk import DISK_BYTES, FILE, NoLoopDevice, loop_disk

CHECK_SECONDS = 120.0

Say = Callable[[str], None]


class DemoFailed(Exception):
    """The demonstration cannot continue; the message says why and what to do."""


def prepare(user: User, say: Say) -> Disk | Directory:
    """Return the target, created once. Raises: DemoFailed."""
    host = checked_host(user, say)
    disk = _loop_disk(user, host, say) if os.geteuid() == 0 else None
    if disk is not None:
        return disk
    say("No loop device here: the demonstration uses a scratch directory and two queue depths.")
    return _directory(user, host)


def checked_host(user: User, say: Say) -> Host:
    """Return this machine as a host that a worker just checked. Raises: DemoFailed."""
    host = local_host_ensure(user=user)
    say(f"Checking {host.name} ...")
    before = host.checked_at
    host_check_request(host=host, user=user)
    deadline = time.monotonic() + CHECK_SECONDS
    while time.monotonic() < deadline:
        host.refresh_from_db()
        if host.checked_at != before and host.check_requested_at is None:
            break
        time.sleep(0.2)
    else:
        raise DemoFailed("No worker checked this machine; see the worker's log.")
    if host.health == Host.Health.UNREACHABLE or host.facts is None:
        raise DemoFailed(f"This machine cannot be used: {host.health_text}")
    if not (host.known.tools or {}).get("fio"):
        raise DemoFailed("fio is missing on this machine: install it (apt-get install fio).")
    return host


def _loop_disk(user: User, host: Host, say: Say) -> Disk | None:
    """Return the enrolled loop device; None if the machine has none."""
    file = Path(settings.HOME) / FILE
    try:
        node = loop_disk(file)
    except NoLoopDevice as error:
        say(f"No loop device: {error}")
        return None
    host = checked_host(user, say)
    disk = host.disks.filter(device_path=node, identity__endswith=f":{file.resolve()}").first()
    if disk is None:
        raise DemoFailed(f"{node} was made, but the host's facts do not show it.")
    if not disk.is_enrolled:
        disk = disk_enrol(disk=disk, user=user, confirmation=disk.identity)
    say(f"Disk: {node}, a loop device of {DISK_BYTES // 1024**2} MiB over a file of its own.")
    return disk


def _directory(user: User, host: Host) -> Directory:
    folder = Path(settings.HOME) / "demo" / "scratch"
    folder.mkdir(parents=True, exist_ok=True)
    path = str(folder.resolve())
    existing = Directory.objects.filter(host=host, path=path).first()
    return existing or directory_create(host=host, path=path, user=user)
