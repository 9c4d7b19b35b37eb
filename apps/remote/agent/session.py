"""A session: hello, then a forked process for each request, until the input ends."""

import hashlib
import os
import platform
import signal
import sys
from functools import partial
from types import FrameType
from typing import Callable, Optional, Set, Tuple

from .errors import AgentError
from .files import write_all
from .frames import Channel
from .host.identity import base_folder, boot_id, machine_id, now
from .jobs.cancel import remove_stale_folders
from .processes.start import die_with_parent
from .schema import Response
from .tuning.recovery import restore_ended_jobs
from .verbs import respond


def serve(token: str) -> None:
    """Serve requests on stdin and stdout; at the end of input end the requests, never the jobs."""
    base = base_folder()
    source, sink = private_streams()
    write_all(sink, "\n{}\n".format(token).encode())
    channel = Channel(source, sink, base)
    channel.send(hello(base))
    Session(channel, base).run()


def private_streams() -> Tuple[int, int]:
    """Move the session off 0 and 1, so that nothing prints into a frame by accident."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return source, sink


def zipapp_hash() -> str:
    """Return the SHA-256 of the running zipapp; "source" if it runs from a checkout."""
    try:
        with open(sys.argv[0], "rb") as file:
            data = file.read()
    except OSError:
        return "source"
    return hashlib.sha256(data).hexdigest() if b"PK\x03\x04" in data[:128] else "source"


def hello(base: str) -> Response:
    """Return the first frame: agent, host and boot."""
    return {
        "hello": 1,
        "agent": zipapp_hash(),
        "python": platform.python_version(),
        "uid": os.geteuid(),
        "boot_id": boot_id(),
        "machine_id": machine_id(),
        "base": base,
        **now(),
    }


class Session:
    """The running requests of a session."""

    def __init__(self, channel: Channel, base: str) -> None:
        self.channel = channel
        self.base = base
        self.requests: Set[int] = set()

    def run(self) -> None:
        """Fork for each request, so that an error affects no other."""
        signal.signal(signal.SIGCHLD, self.reap)
        self.fork(self.housekeeping)
        try:
            self.loop()
        except (AgentError, BrokenPipeError) as error:
            sys.stderr.write("session ended: {}\n".format(error))
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for pid in self.requests:
            os.kill(pid, signal.SIGTERM)

    def loop(self) -> None:
        """Receive requests and fork a process for each."""
        while True:
            frame = self.channel.receive()
            if frame is None:
                return
            self.fork(partial(respond, self.channel, self.base, frame[0]))

    def fork(self, body: Callable[[], None]) -> None:
        """Run a function in a process that ends with the session."""
        # Blocked over the fork, so that a request that ends at once is in the set before it is
        # reaped.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        pid = os.fork()
        if pid == 0:
            self.run_forked(body)
        self.requests.add(pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])

    def run_forked(self, body: Callable[[], None]) -> None:
        """Run the function in the forked process and exit."""
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
            die_with_parent()
            body()
        except BrokenPipeError:
            pass
        finally:
            os._exit(0)

    def housekeeping(self) -> None:
        """Restore the settings of ended jobs and remove stale folders."""
        restore_ended_jobs(self.base)
        remove_stale_folders(os.path.join(self.base, "jobs"))

    def reap(self, _number: int, _frame: Optional[FrameType]) -> None:
        """Collect ended requests. Raises: AgentError, into `loop`, if one was killed."""
        while self.requests:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.requests.discard(pid)
            if os.WIFSIGNALED(status):
                # Killed from outside (out of memory, an admin): its response is missing or
                # incomplete. The end of the session reports that.
                raise AgentError("a request was killed by signal {}".format(os.WTERMSIG(status)))
