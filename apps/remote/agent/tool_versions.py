"""Which measuring tools a host has, by what they say of themselves."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from typing import IO, Dict, Iterable, List, Optional, Tuple

from .host import command_environment

QUESTIONS: Dict[str, List[str]] = {
    "fio": ["fio", "--version"],
    "iperf3": ["iperf3", "--version"],
    "iperf": ["iperf", "-v"],
    "iozone": ["iozone", "-v"],
    "rados": ["rados", "--version"],
    "ceph": ["ceph", "--version"],
    "dd": ["dd", "--version"],
    "iostat": ["iostat", "-V"],
}
INSTALLERS = {"apt": "apt-get", "dnf": "dnf", "yum": "yum"}
PROGRAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
NUMBER = re.compile(r"\d+\.\d+[0-9A-Za-z.+-]*")
PATIENCE = 5.0  # seconds for all of them together
Asked = Tuple["subprocess.Popen[bytes]", IO[bytes]]


def tool_versions(base: str, others: Iterable[str] = ()) -> Dict[str, Optional[str]]:
    """Each tool's version, None when it is not there or does not answer. All are asked at once.
    `others`: programs of tools that benchlab does not come with, asked for their `--version`.
    """
    environment = command_environment(base)
    until = time.monotonic() + PATIENCE
    questions = {name: [name, "--version"] for name in others if PROGRAM.fullmatch(name)}
    questions.update(QUESTIONS)
    asked = {name: ask(argv, environment) for name, argv in questions.items()}
    return {name: version(one, until) if one else None for name, one in asked.items()}


def ask(argv: List[str], environment: Dict[str, str]) -> Optional[Asked]:
    """Start one; its output goes to a file, so that none can block on a full pipe."""
    program = shutil.which(argv[0], path=environment["PATH"])
    if program is None:
        return None
    output = tempfile.TemporaryFile()
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            [program] + argv[1:],
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
