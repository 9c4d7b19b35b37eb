"""Making processes: supervisors that belong to nobody, tools that inherit exactly what they
should.
"""

import contextlib
import os
import signal
import sys
import traceback
from typing import Callable, Dict, Iterable, List, Optional

from ..files import write_all

try:
    import ctypes

    # Loaded once a session, so that no request pays for it.
    C: "Optional[ctypes.CDLL]" = ctypes.CDLL(None)
except (ImportError, OSError):  # a Python built without libffi
    C = None

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36  # prctl(2), <linux/prctl.h>

# Python ignores some of these, the supervisor one, and a shell in the background the rest: a tool
# that ignores SIGINT cannot be asked to end.
GIVEN_BACK = (signal.SIGPIPE, signal.SIGHUP, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT)


def prctl(option: int, value: int) -> bool:
    """prctl(2); False where this Python has no ctypes or the kernel says no."""
    if C is None:
        return False
    return bool(C.prctl(option, value, 0, 0, 0) == 0)


def die_with_parent() -> None:
    """A request must not outlive its session, even when the session is killed."""
    prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose own parent ends; False where that is
    impossible.
    """
    return prctl(PR_SET_CHILD_SUBREAPER, 1)


def leave_orphans() -> None:
    """Orphans are init's again, as those of a daemon must be."""
    prctl(PR_SET_CHILD_SUBREAPER, 0)


def close_others(keep: Iterable[int]) -> None:
    """Close everything inherited but `keep`; 0, 1 and 2 become /dev/null."""
    kept = set(keep)
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:
                continue  # the descriptor of the listing itself
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


def detach(body: Callable[[], None], keep: Iterable[int], log: str) -> None:
    """As `part`, of a process that belongs to init at once."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    try:
        part(body, keep, log)
    finally:
        os._exit(0)


def part(body: Callable[[], None], keep: Iterable[int], log: str) -> None:
    """Run `body` in a process of its own session, which is init's when this one has ended."""
    if os.fork():
        return
    try:
        os.setsid()
        run_detached(body, keep, log)
    finally:
        os._exit(0)


def run_detached(body: Callable[[], None], keep: Iterable[int], log: str) -> None:
    """In the detached process: an error nobody foresaw ends in the log."""
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
    """Start a tool in its own session, input from /dev/null, output appended to `folder`; its pid.

    What is inheritable in this process (the lock, the claim) is inherited. A program that cannot
    be started says so on stderr and ends with 127, as in a shell. With a `body` that is run instead
    of a program, and gives the exit code.
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
        for number in GIVEN_BACK:
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
