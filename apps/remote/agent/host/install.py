"""Install a package of a fixed list with the host's package manager."""

import fcntl
import os
import subprocess
import tempfile
import time
from typing import IO, Dict, List

from ..errors import AgentError, RequestError
from ..schema import Emit, Request, Response
from .identity import command_environment
from .tool_versions import package_managers, program_of

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
    "ipmitool": "ipmitool",
}
POLL_SECONDS = 0.2


def install_commands(installer: str, package: str, base: str) -> List[List[str]]:
    """Return the commands to run.

    Only the last exit code counts, since a partly stale index may be sufficient.
    """
    program = program_of(installer, base)
    if installer != "apt":
        return [[program, "-y", "install", PACKAGES[package]]]
    # Waits for another installation in progress.
    patient = [program, "-q", "-o", "DPkg::Lock::Timeout=300"]
    return [patient + ["update"], patient + ["install", "-y", "--no-install-recommends", package]]


def install(base: str, request: Request, emit: Emit) -> Response:
    """Run the verb: return `exit_code` of the package manager; output as pieces.

    The package manager runs in its own session and writes to a file, so a lost connection does not
    interrupt it. Raises: RequestError.
    """
    package = request["package"]
    if package not in PACKAGES:
        raise RequestError("The agent installs {} only.".format(", ".join(sorted(PACKAGES))))
    usable = package_managers(base)
    if not usable:
        raise AgentError("This host has neither apt-get nor dnf nor yum; install it by hand.")
    guard = os.open(
        os.path.join(base, "install.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
    )
    fcntl.flock(guard, fcntl.LOCK_EX)
    code = 0
    with tempfile.TemporaryFile(dir=base) as output:
        for argv in install_commands(usable[0], package, base):
            code = run_command(argv, base, output, emit)
    os.close(guard)
    return {"exit_code": code}


def run_command(argv: List[str], base: str, output: IO[bytes], emit: Emit) -> int:
    """Run one command to its end, sending its output; return the exit code."""
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
        # Before reading, so that no output before the end is missed.
        code = process.poll()
        piece = os.pread(output.fileno(), 1 << 16, offset)
        if piece:
            emit({"file": "output", "offset": offset}, piece)
            offset += len(piece)
        elif code is not None:
            return code
        else:
            time.sleep(POLL_SECONDS)
