"""Measuring tools that a host has, by what they say of themselves."""

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

QUESTIONS: Dict[str, List[str]] = {
    "fio": ["fio", "--version"],
    "iperf3": ["iperf3", "--version"],
    "iperf": ["iperf", "-v"],
    "iozone": ["iozone", "-v"],
    "rados": ["rados", "--version"],
    "rbd": ["rbd", "--version"],
    "ceph": ["ceph", "--version"],
    "dd": ["dd", "--version"],
    "iostat": ["iostat", "-V"],
}
INSTALLERS = {"apt": "apt-get", "dnf": "dnf", "yum": "yum"}
PROGRAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
NUMBER = re.compile(r"\d+\.\d+[0-9A-Za-z.+-]*")
KNOWN = "versions.json"
PATIENCE = 5.0  # seconds for all of them together
Asked = Tuple["subprocess.Popen[bytes]", IO[bytes]]


def tool_versions(base: str, others: Iterable[str] = ()) -> Dict[str, Optional[str]]:
    """Each tool's version, None when it is not there or does not answer. All are asked at once.
    `others`: programs of tools that benchlab does not come with, asked for their `--version`.

    What a program said is kept in `versions.json`, and asked again when the file is another one.
    """
    environment = command_environment(base)
    until = time.monotonic() + PATIENCE
    questions = {name: [name, "--version"] for name in others if PROGRAM.fullmatch(name)}
    questions.update(QUESTIONS)
    programs = {name: shutil.which(name, path=environment["PATH"]) for name in questions}
    marks = {name: mark(program) for name, program in programs.items() if program}
    path = os.path.join(base, KNOWN)
    known = kept(read_json(path), marks)
    asked = {
        name: ask([program] + questions[name][1:], environment)
        for name, program in programs.items()
        if program and name not in known
    }
    found = {name: version(one, until) if one else None for name, one in asked.items()}
    keep(path, marks, dict(known, **found))
    return {name: known.get(name, found.get(name)) for name in questions}


def mark(program: str) -> Optional[List[Any]]:
    """The mark that tells a program from any other and from a newer one; None for a script that is
    not the system's: it may start anything.
    """
    try:
        with open(program, "rb") as file:
            said = os.fstat(file.fileno())
            if file.read(4) != b"\x7fELF" and os.path.dirname(program) not in SBIN:
                return None
    except OSError:
        return None
    return [program, said.st_dev, said.st_ino, said.st_size, said.st_mtime_ns, said.st_ctime_ns]


def kept(told: Any, marks: Dict[str, Optional[List[Any]]]) -> Dict[str, str]:
    """The versions that still hold."""
    rows = told.items() if isinstance(told, dict) else ()
    return {
        name: row["version"]
        for name, row in rows
        if isinstance(row, dict) and row.get("version") and row.get("mark") == marks.get(name)
    }


def keep(path: str, marks: Dict[str, Optional[List[Any]]], found: Dict[str, Optional[str]]) -> None:
    """Remember what programs said; best effort."""
    rows = {
        name: {"mark": marks[name], "version": said}
        for name, said in found.items()
        if said and marks.get(name)
    }
    if rows != read_json(path):
        with contextlib.suppress(OSError):
            write_json(path, rows, durable=False)


def ask(argv: List[str], environment: Dict[str, str]) -> Optional[Asked]:
    """Start one; its output goes to a file, so that none can block on a full pipe."""
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


def version(asked: Asked, until: float) -> Optional[str]:
    """The first version number printed; iperf 2 exits with 1 and prints to stderr, so neither
    counts.
    """
    process, output = asked
    try:
        process.wait(max(0.01, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    with output:
        output.seek(0)
        found = NUMBER.search(output.read(4096).decode("utf-8", "replace"))
    return found.group(0) if found else None


def installers(base: str) -> List[str]:
    """The package managers of this host that the agent can use."""
    path = command_environment(base)["PATH"]
    return [name for name, program in INSTALLERS.items() if shutil.which(program, path=path)]


def program_of(installer: str, base: str) -> str:
    """The package manager's full path."""
    path = command_environment(base)["PATH"]
    return shutil.which(INSTALLERS[installer], path=path) or os.path.join("/usr/bin", installer)
