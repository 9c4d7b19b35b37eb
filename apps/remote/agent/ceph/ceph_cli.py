"""The `ceph` command of the host, and the format of monitor commands."""

import errno
import subprocess
from typing import Any, Dict, List

CONNECT_SECONDS = "30"  # seconds to find a monitor
TIMEOUT_SECONDS = 120.0  # seconds for one command
# A monitors' command as JSON: its name ("prefix"), then its arguments in the order of ceph(8).
MonCommand = Dict[str, Any]


class CephError(OSError):
    """The cluster rejects a command or does not respond; the message is a sentence."""

    def __init__(self, sentence: str) -> None:
        OSError.__init__(self, errno.EIO, sentence)

    def __str__(self) -> str:
        return str(self.strerror)


def cli_arguments(command: MonCommand) -> List[str]:
    """Return the arguments of the `ceph` command.

    A value that begins with "-" is passed as --name=value, so that it is not parsed as an option.
    """
    arguments = ["ceph"] + str(command["prefix"]).split(" ")
    for name, value in command.items():
        if isinstance(value, list):
            arguments += [str(word) for word in value]
        elif value is True:
            arguments.append("--" + name.replace("_", "-"))
        elif name not in ("prefix", "format"):
            text = str(value)
            arguments.append("--{}={}".format(name, text) if text.startswith("-") else text)
    return arguments + (["--format", "json"] if "format" in command else [])


def run_ceph(
    arguments: List[str],
    environment: Dict[str, str],
    connect: str = CONNECT_SECONDS,
    timeout: float = TIMEOUT_SECONDS,
) -> str:
    """Return the output of the `ceph` command. Raises: CephError with its error text."""
    argv = [arguments[0], "--connect-timeout", connect] + arguments[1:]
    return program_output(argv, " ".join(arguments), environment, timeout)


def program_output(argv: List[str], label: str, environment: Dict[str, str], timeout: float) -> str:
    """Return the output of a Ceph program; `label` names it in errors. Raises: CephError."""
    nothing, pipe = subprocess.DEVNULL, subprocess.PIPE
    try:
        done = subprocess.run(
            argv, env=environment, stdin=nothing, stdout=pipe, stderr=pipe, timeout=timeout
        )
    except FileNotFoundError:
        sentence = "{} is not installed on this host; install ceph-common."
        raise CephError(sentence.format(argv[0])) from None
    except subprocess.TimeoutExpired:
        sentence = "{}: no answer within {:.0f} seconds."
        raise CephError(sentence.format(label, timeout)) from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        error_text = lines[-1] if lines else "exit code {}".format(done.returncode)
        raise CephError("{}: {}".format(label, error_text))
    return done.stdout.decode("utf-8", "replace")
