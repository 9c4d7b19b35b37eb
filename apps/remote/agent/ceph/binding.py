"""A process in Ceph's own Python that stays connected to the cluster: it reads a monitors' command
as JSON in a line and writes the answer in a line, which takes milliseconds.

It uses Ceph's Python binding (package python3-rados), with which the `ceph` command is written.
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

from .command import CephError, Question

# A text instead of an answer: the cluster was looked for, and not found.
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
    code, output, complaint = cluster.mon_command(line.strip(), b"", timeout={patience})
    print(json.dumps([code, output.decode("utf-8", "replace"), complaint]), flush=True)
os._exit(0)
"""
SHEBANG = re.compile(rb"#! ?(/\S*python3?[0-9.]*|/usr/bin/env python3)[ \n]")


class Binding:
    """The process, which the first question starts. `connect` and `patience`: seconds to find a
    monitor, and for one answer.
    """

    def __init__(self, environment: Dict[str, str], connect: str, patience: float) -> None:
        self.environment = environment
        self.connect = connect
        self.patience = patience
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.rest = b""

    def ask(self, question: Question) -> List[Any]:
        """Exit code, output and complaint. Raises CephError where no monitor is found, OSError
        where the process cannot be had or ends; the next question starts another one.
        """
        seconds = self.patience + (0.0 if self.process else float(self.connect))
        try:
            self.process = self.process or self.started()
            line = json.dumps(question).encode() + b"\n"
            answer = json.loads(self.exchange(self.process, line, seconds))
        except OSError:
            self.end()
            raise
        except ValueError as error:
            self.end()
            raise OSError(errno.EPIPE, str(error)) from None
        if isinstance(answer, str):
            self.end()
            raise CephError(answer)
        return list(answer)

    def exchange(self, process: "subprocess.Popen[bytes]", line: bytes, seconds: float) -> str:
        """The line that answers a line within so many seconds."""
        assert process.stdin and process.stdout
        process.stdin.write(line)
        process.stdin.flush()
        until = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = max(0.0, until - time.monotonic())
            if not select.select([process.stdout], [], [], left)[0]:
                sentence = "ceph: no answer within {:.0f} seconds."
                raise OSError(errno.ETIMEDOUT, sentence.format(seconds))
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                raise OSError(errno.EPIPE, "Ceph's Python binding ended")
            self.rest += piece
        answer, _, self.rest = self.rest.partition(b"\n")
        return answer.decode("utf-8", "replace")

    def started(self) -> "subprocess.Popen[bytes]":
        """The process. Raises OSError where `ceph` is no Python program."""
        interpreter = interpreter_of_ceph(self.environment)
        if interpreter is None:
            raise OSError(errno.ENOENT, "ceph is no Python program")
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        source = PROGRAM.format(connect=self.connect, patience=int(self.patience))
        argv = interpreter + ["-c", source]
        return subprocess.Popen(
            argv, env=self.environment, stdin=pipe, stdout=pipe, stderr=nothing, bufsize=0
        )

    def end(self) -> None:
        """End the process."""
        process, self.process, self.rest = self.process, None, b""
        if process and process.stdin and process.stdout:
            process.kill()
            process.stdin.close()
            process.stdout.close()
            process.wait()


def interpreter_of_ceph(environment: Dict[str, str]) -> Optional[List[str]]:
    """The Python that the `ceph` command runs in; None where it is no Python program."""
    path = shutil.which("ceph", path=environment.get("PATH"))
    if path is None or not os.access(path, os.R_OK):
        return None
    with open(path, "rb") as file:
        match = SHEBANG.match(file.read(200))
    return match.group(1).decode().split(" ") if match else None
