"""The host's own `ceph` command, and the questions that it and Ceph's Python binding answer."""

import errno
import subprocess
from typing import Any, Dict, List

CONNECT = "30"  # seconds to find a monitor
PATIENCE = 120.0  # seconds for one command
# A monitors' command as JSON: its name ("prefix"), then its arguments in the order of ceph(8).
Question = Dict[str, Any]


class CephError(OSError):
    """The cluster refuses, or does not answer; the message is a sentence."""

    def __init__(self, sentence: str) -> None:
        OSError.__init__(self, errno.EIO, sentence)

    def __str__(self) -> str:
        return str(self.strerror)


def ceph_words(question: Question) -> List[str]:
    """The question as words of the `ceph` command. A value that begins with "-" is named, so that
    it is not read as an option.
    """
    words = ["ceph"] + str(question["prefix"]).split(" ")
    for name, value in question.items():
        if isinstance(value, list):
            words += [str(word) for word in value]
        elif value is True:
            words.append("--" + name.replace("_", "-"))
        elif name not in ("prefix", "format"):
            text = str(value)
            words.append("--{}={}".format(name, text) if text.startswith("-") else text)
    return words + (["--format", "json"] if "format" in question else [])


def run_ceph(
    words: List[str],
    environment: Dict[str, str],
    connect: str = CONNECT,
    patience: float = PATIENCE,
) -> str:
    """The output of the `ceph` command. Raises CephError with its complaint."""
    argv = [words[0], "--connect-timeout", connect] + words[1:]
    return output_of(argv, " ".join(words), environment, patience)


def output_of(argv: List[str], shown: str, environment: Dict[str, str], patience: float) -> str:
    """The output of a program of Ceph, which complaints call `shown`. Raises CephError."""
    nothing, pipe = subprocess.DEVNULL, subprocess.PIPE
    try:
        done = subprocess.run(
            argv, env=environment, stdin=nothing, stdout=pipe, stderr=pipe, timeout=patience
        )
    except FileNotFoundError:
        sentence = "{} is not installed on this host; install ceph-common."
        raise CephError(sentence.format(argv[0])) from None
    except subprocess.TimeoutExpired:
        sentence = "{}: no answer within {:.0f} seconds."
        raise CephError(sentence.format(shown, patience)) from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        complaint = lines[-1] if lines else "exit code {}".format(done.returncode)
        raise CephError("{}: {}".format(shown, complaint))
    return done.stdout.decode("utf-8", "replace")
