"""Start processes: daemons that belong to init, and tools with defined inheritance."""

import contextlib
import os
import signal
import sys
import traceback
from typing import Callable, Dict, Iterable, List, Optional

from ..files import write_all

try:
    import ctypes

    # Loaded once per session.
    C: "Optional[ctypes.CDLL]" = ctypes.CDLL(None)
except (ImportError, OSError):  # a Python built without libffi
    C = None

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36  # prctl(2), <linux/prctl.h>

# Ignored by Python, the supervisor or a background shell; a tool must not ignore SIGINT.
RESET_SIGNALS = (signal.SIGPIPE, signal.SIGHUP, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT)


def prctl(option: int, value: int) -> bool:
    """Call prctl(2); returns False without ctypes or on an error."""
    if C is None:
        return False
    return bool(C.prctl(option, value, 0, 0, 0) == 0)


def die_with_parent() -> None:
    """End this process with its parent, so that no request outlives its session."""
    prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))


def adopt_orphans() -> bool:
    """Become the parent of orphaned descendants; returns False if that is not possible."""
    return prctl(PR_SET_CHILD_SUBREAPER, 1)


def release_orphans() -> None:
    """Let init adopt orphans again, as daemons require."""
    prctl(PR_SET_CHILD_SUBREAPER, 0)


def close_others(keep: Iterable[int]) -> None:
    """Close all inherited descriptors except `keep`; 0, 1 and 2 become /dev/null."""
    keep_set = set(keep)
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in keep_set:
            try:
                os.close(int(name))
            except OSError:
                continue  # the descriptor of the listing itself
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


def daemonize(body: Callable[[], None], keep: Iterable[int], log: str) -> None:
    """Run `body` in a process that belongs to init at once."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    try:
        start_session(body, keep, log)
    finally:
        os._exit(0)


def start_session(body: Callable[[], None], keep: Iterable[int], log: str) -> None:
    """Run `body` in a process with its own session, which init adopts after this one ends."""
    if os.fork():
        return
    try:
        os.setsid()
        run_detached(body, keep, log)
    finally:
        os._exit(0)


def run_detached(body: Callable[[], None], keep: Iterable[int], log: str) -> None:
    """Run `body` in the detached process; write the traceback of errors to the log."""
    try:
        prctl(PR_SET_PDEATHSIG, 0)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.umask(0o077)
        close_others(keep)
        body()
    except BaseException:
        with contextlib.suppress(OSError), open(log, "a") as file:
            traceback.print_exc(file=file)


def spawn(
    argv: List[str],
    folder: str,
    environment: Dict[str, str],
    body: Optional[Callable[[], int]] = None,
) -> int:
    """Start a tool in its own session and return its PID.

    stdin is /dev/null; output is appended to files in `folder`. Inheritable descriptors (lock,
    claim) are inherited. If the program does not start, the error goes to stderr and the exit code
    is 127, as in a shell. `body` runs instead of a program.
    """
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        os.chdir(folder)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        os.dup2(os.open("stdout", flags, 0o600), 1)
        os.dup2(os.open("stderr", flags, 0o600), 2)
        for number in RESET_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        if body:
            os._exit(body())
        os.execvpe(argv[0], argv, environment)
    except BaseException as error:
        write_all(
            2, "{}: {}\n".format(argv[0], error).encode(sys.getfilesystemencoding(), "replace")
        )
    finally:
        os._exit(127)
