"""Versions of the benchmark tools on a host, and of programs that read its disks and BMC."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from typing import IO, Any, Dict, Iterable, List, Optional, Tuple

from ..files import read_json, write_json
from .identity import SBIN, command_environment

VERSION_COMMANDS: Dict[str, List[str]] = {
    "fio": ["fio", "--version"],
    "iperf3": ["iperf3", "--version"],
    "iperf": ["iperf", "-v"],
    "iozone": ["iozone", "-v"],
    "rados": ["rados", "--version"],
    "rbd": ["rbd", "--version"],
    "ceph": ["ceph", "--version"],
    "dd": ["dd", "--version"],
    "iostat": ["iostat", "-V"],
    "smartctl": ["smartctl", "--version"],
    "nvme": ["nvme", "version"],
    "ipmitool": ["ipmitool", "-V"],
}
PACKAGE_MANAGERS = {"apt": "apt-get", "dnf": "dnf", "yum": "yum"}
PROGRAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
NUMBER = re.compile(r"\d+\.\d+[0-9A-Za-z.+-]*")
CACHE_FILE = "versions.json"
TIMEOUT_SECONDS = 5.0  # for all programs together
RunningProgram = Tuple["subprocess.Popen[bytes]", IO[bytes]]


def tool_versions(base: str, others: Iterable[str] = ()) -> Dict[str, Optional[str]]:
    """Return each tool's version; None if it is absent or does not answer.

    All programs run at the same time. `others`: more programs, run with `--version`. Versions are
    cached in `versions.json` until the file of the program changes.
    """
    environment = command_environment(base)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    questions = {name: [name, "--version"] for name in others if PROGRAM.fullmatch(name)}
    questions.update(VERSION_COMMANDS)
    programs = {name: shutil.which(name, path=environment["PATH"]) for name in questions}
    identities = {name: file_identity(program) for name, program in programs.items() if program}
    path = os.path.join(base, CACHE_FILE)
    cached = cached_versions(read_json(path), identities)
    processes = {
        name: start_program([program] + questions[name][1:], environment)
        for name, program in programs.items()
        if program and name not in cached
    }
    result = {name: read_version(one, deadline) if one else None for name, one in processes.items()}
    save_versions(path, identities, dict(cached, **result))
    return {name: cached.get(name, result.get(name)) for name in questions}


def file_identity(program: str) -> Optional[List[Any]]:
    """Return path, inode and times of a program's file.

    None for a script outside the system's folders, since it may start anything.
    """
    try:
        with open(program, "rb") as file:
            status = os.fstat(file.fileno())
            if file.read(4) != b"\x7fELF" and os.path.dirname(program) not in SBIN:
                return None
    except OSError:
        return None
    return [
        program,
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    ]


def cached_versions(cache: Any, identities: Dict[str, Optional[List[Any]]]) -> Dict[str, str]:
    """Return the cached versions that are still valid."""
    rows = cache.items() if isinstance(cache, dict) else ()
    return {
        name: row["version"]
        for name, row in rows
        if isinstance(row, dict) and row.get("version") and row.get("file") == identities.get(name)
    }


def save_versions(
    path: str, identities: Dict[str, Optional[List[Any]]], result: Dict[str, Optional[str]]
) -> None:
    """Write the cache; errors are ignored."""
    rows = {
        name: {"file": identities[name], "version": version}
        for name, version in result.items()
        if version and identities.get(name)
    }
    if rows != read_json(path):
        with contextlib.suppress(OSError):
            write_json(path, rows, durable=False)


def start_program(argv: List[str], environment: Dict[str, str]) -> Optional[RunningProgram]:
    """Start a program; its output goes to a file, so that it cannot block on a full pipe."""
    output = tempfile.TemporaryFile()
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            argv,
            env=environment,
            stdin=nothing,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    except OSError:
        output.close()
        return None
    return process, output


def read_version(program: RunningProgram, deadline: float) -> Optional[str]:
    """Return the first version number in the output.

    Ignores the exit code and includes stderr, for iperf 2.
    """
    process, output = program
    try:
        process.wait(max(0.01, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    with output:
        output.seek(0)
        match = NUMBER.search(output.read(4096).decode("utf-8", "replace"))
    return match.group(0) if match else None


def package_managers(base: str) -> List[str]:
    """Return the package managers of this host that the agent can use."""
    path = command_environment(base)["PATH"]
    return [name for name, program in PACKAGE_MANAGERS.items() if shutil.which(program, path=path)]


def program_of(installer: str, base: str) -> str:
    """Return the full path of a package manager."""
    path = command_environment(base)["PATH"]
    return shutil.which(PACKAGE_MANAGERS[installer], path=path) or os.path.join(
        "/usr/bin", installer
    )
