"""A process in Ceph's own Python that stays connected to the cluster and answers line by line, so
that a question takes milliseconds. One with a process and a connection of its own keeps a processor
busy for a tenth of a second and more, and the monitors with a login.
"""

import errno
import json
import os
import select
import subprocess
import time
from typing import Any, Dict, Optional

from .batch import interpreter_of_ceph
from .command import CONNECT, PATIENCE, CephError


class Line:
    """Begun by the first question. `source`: the program, which reads a document a line. `connect`
    and `patience`: seconds to find a monitor, and for one answer.
    """

    def __init__(
        self,
        environment: Dict[str, str],
        source: str,
        connect: str = CONNECT,
        patience: float = PATIENCE,
    ) -> None:
        self.environment = environment
        self.source = source
        self.connect = float(connect)
        self.patience = patience
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.rest = b""

    def ask(self, question: object) -> Any:
        """The document that answers. Raises OSError where there is none, and CephError with Ceph's
        words where no monitor was found; the next question begins another process.
        """
        seconds = self.patience + (0.0 if self.process else self.connect)
        try:
            self.process = self.process or self.begun()
            line = json.dumps(question).encode() + b"\n"
            found = json.loads(self.said(self.process, line, seconds))
        except OSError:
            self.end()
            raise
        except ValueError as error:
            self.end()
            raise OSError(errno.EPIPE, str(error)) from None
        if isinstance(found, str):
            self.end()
            raise CephError(found)
        return found

    def said(self, process: "subprocess.Popen[bytes]", line: bytes, seconds: float) -> str:
        """The line that answers a line within so many seconds."""
        assert process.stdin and process.stdout
        process.stdin.write(line)
        process.stdin.flush()
        until = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = max(0.0, until - time.monotonic())
            ready = select.select([process.stdout], [], [], left)[0]
            piece = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            if not ready:
                raise OSError(
                    errno.ETIMEDOUT, "ceph: no answer within {:.0f} seconds.".format(seconds)
                )
            if not piece:
                raise OSError(errno.EPIPE, "it broke off")
            self.rest += piece
        answer, _, self.rest = self.rest.partition(b"\n")
        return answer.decode("utf-8", "replace")

    def begun(self) -> "subprocess.Popen[bytes]":
        """The process. Raises OSError where Ceph's own Python is not to be had."""
        interpreter = interpreter_of_ceph(self.environment)
        if interpreter is None:
            raise OSError(errno.ENOENT, "ceph is no Python program")
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        argv = interpreter + ["-c", self.source]
        return subprocess.Popen(
            argv, env=self.environment, stdin=pipe, stdout=pipe, stderr=nothing, bufsize=0
        )

    def end(self) -> None:
        """Close the connection."""
        process, self.process, self.rest = self.process, None, b""
        if process and process.stdin and process.stdout:
            process.kill()
            process.stdin.close()
            process.stdout.close()
            process.wait()
