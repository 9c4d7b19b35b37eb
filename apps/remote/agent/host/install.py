"""Installing one package of a short list, with the host's own package manager."""

import fcntl
import os
import subprocess
import tempfile
import time
from typing import IO, Dict, List

from ..errors import AgentError, RequestError
from ..shapes import Emit, Reply, Request
from .identity import command_environment
from .tool_versions import installers, program_of

# Debian's name of each package, and Red Hat's.
PACKAGES: Dict[str, str] = {
    "fio": "fio",
    "sysstat": "sysstat",
    "iperf3": "iperf3",
    "iperf": "iperf",
    "iozone3": "iozone",
    "ceph-common": "ceph-common",
    "nvme-cli": "nvme-cli",
    "smartmontools": "smartmontools",
}
TICK = 0.2


def commands(installer: str, package: str, base: str) -> List[List[str]]:
    """The commands to run; only the last one's exit code counts, as an index that is partly stale
    may do.
    """
    program = program_of(installer, base)
    if installer != "apt":
        return [[program, "-y", "install", PACKAGES[package]]]
    # Another installation in progress is waited for, not failed on.
    patient = [program, "-q", "-o", "DPkg::Lock::Timeout=300"]
    return [patient + ["update"], patient + ["install", "-y", "--no-install-recommends", package]]


def install(base: str, request: Request, emit: Emit) -> Reply:
    """The verb: `exit_code` of the package manager; its output as pieces. Raises RequestError.

    The package manager writes to a file and runs in a session of its own: a cut connection does not
    stop it halfway.
    """
    package = request["package"]
    if package not in PACKAGES:
        raise RequestError("The agent installs {} only.".format(", ".join(sorted(PACKAGES))))
    usable = installers(base)
    if not usable:
        raise AgentError("This host has neither apt-get nor dnf nor yum; install it by hand.")
    guard = os.open(
        os.path.join(base, "install.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
    )
    fcntl.flock(guard, fcntl.LOCK_EX)
    code = 0
    with tempfile.TemporaryFile(dir=base) as output:
        for argv in commands(usable[0], package, base):
            code = run(argv, base, output, emit)
    os.close(guard)
    return {"exit_code": code}


def run(argv: List[str], base: str, output: IO[bytes], emit: Emit) -> int:
    """One command to its end, its output passed on as it comes; the exit code."""
    # Before the start: the descriptor's position is shared with the process and moves as it writes.
    offset = output.tell()
    process = subprocess.Popen(
        argv,
        env=command_environment(base),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    while True:
        # Asked before reading: what was written before the end is then never missed.
        code = process.poll()
        piece = os.pread(output.fileno(), 1 << 16, offset)
        if piece:
            emit({"file": "output", "offset": offset}, piece)
            offset += len(piece)
        elif code is not None:
            return code
        else:
            time.sleep(TICK)
