"""A process of Ceph's Python that stays connected to the cluster.

It reads monitor commands as JSON lines from stdin and writes one response line each. It uses Ceph's
Python binding (package python3-rados), as the `ceph` command does.
"""

import errno
import json
import os
import re
import select
import shutil
import subprocess
import time
from typing import Any, Dict, List, Optional

from .ceph_cli import CephError, MonCommand

# A JSON text instead of a list reports that no monitor was found.
PROGRAM = """
import json, os, sys
import rados
cluster = rados.Rados(conffile=rados.Rados.DEFAULT_CONF_FILES)
try:
    cluster.connect(timeout={connect})
except rados.Error as error:
    print(json.dumps(str(error)), flush=True)
    os._exit(0)
for line in sys.stdin:
    code, output, error_text = cluster.mon_command(line.strip(), b"", timeout={timeout})
    print(json.dumps([code, output.decode("utf-8", "replace"), error_text]), flush=True)
os._exit(0)
"""
SHEBANG = re.compile(rb"#! ?(/\S*python3?[0-9.]*|/usr/bin/env python3)[ \n]")


class MonProcess:
    """The process; started by the first command.

    `connect`: seconds to find a monitor; `timeout`: seconds for one response.
    """

    def __init__(self, environment: Dict[str, str], connect: str, timeout: float) -> None:
        self.environment = environment
        self.connect = connect
        self.timeout = timeout
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.buffer = b""

    def send(self, command: MonCommand) -> List[Any]:
        """Return exit code, output and error text.

        Raises: CephError if no monitor is found; OSError if the process does not start or has
        ended. The next command starts another process.
        """
        seconds = self.timeout + (0.0 if self.process else float(self.connect))
        try:
            self.process = self.process or self.start()
            line = json.dumps(command).encode() + b"\n"
            response = json.loads(self.exchange(self.process, line, seconds))
        except OSError:
            self.stop()
            raise
        except ValueError as error:
            self.stop()
            raise OSError(errno.EPIPE, str(error)) from None
        if isinstance(response, str):
            self.stop()
            raise CephError(response)
        return list(response)

    def exchange(self, process: "subprocess.Popen[bytes]", line: bytes, seconds: float) -> str:
        """Write a line and return the response line. Raises: OSError after the timeout."""
        assert process.stdin and process.stdout
        process.stdin.write(line)
        process.stdin.flush()
        deadline = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            remaining = max(0.0, deadline - time.monotonic())
            if not select.select([process.stdout], [], [], remaining)[0]:
                sentence = "ceph: no answer within {:.0f} seconds."
                raise OSError(errno.ETIMEDOUT, sentence.format(seconds))
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                raise OSError(errno.EPIPE, "Ceph's Python binding ended")
            self.buffer += piece
        response, _, self.buffer = self.buffer.partition(b"\n")
        return response.decode("utf-8", "replace")

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the process. Raises: OSError if `ceph` is no Python program."""
        interpreter = ceph_interpreter(self.environment)
        if interpreter is None:
            raise OSError(errno.ENOENT, "ceph is no Python program")
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        source = PROGRAM.format(connect=self.connect, timeout=int(self.timeout))
        argv = interpreter + ["-c", source]
        return subprocess.Popen(
            argv, env=self.environment, stdin=pipe, stdout=pipe, stderr=nothing, bufsize=0
        )

    def stop(self) -> None:
        """Kill the process."""
        process, self.process, self.buffer = self.process, None, b""
        if process and process.stdin and process.stdout:
            process.kill()
            process.stdin.close()
            process.stdout.close()
            process.wait()


def ceph_interpreter(environment: Dict[str, str]) -> Optional[List[str]]:
    """Return the Python that runs the `ceph` command; None if it is no Python program."""
    path = shutil.which("ceph", path=environment.get("PATH"))
    if path is None or not os.access(path, os.R_OK):
        return None
    with open(path, "rb") as file:
        match = SHEBANG.match(file.read(200))
    return match.group(1).decode().split(" ") if match else None
