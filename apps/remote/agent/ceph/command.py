"""Asking a Ceph cluster through the host's own `ceph` command."""

import json
import subprocess
from typing import Any, Dict, List

CONNECT = "30"  # seconds to find a monitor
PATIENCE = 120.0  # seconds for one command


class CephError(Exception):
    """The cluster said no, or did not answer; the message is a sentence."""


class Ceph:
    """The cluster that the environment's ceph.conf names. `connect` and `patience`: seconds to find
    a monitor, and for one command.
    """

    def __init__(
        self, environment: Dict[str, str], connect: str = CONNECT, patience: float = PATIENCE
    ) -> None:
        self.environment = environment
        self.connect = connect
        self.patience = patience

    def ask(self, *words: str) -> Any:
        """The answer of a command, decoded. Raises CephError."""
        said = self.run(list(words) + ["--format", "json"])
        try:
            return json.loads(said) if said.strip() else None
        except ValueError:
            raise CephError("ceph {}: the answer is no JSON.".format(" ".join(words))) from None

    def do(self, *words: str) -> None:
        """A command whose answer does not matter. Raises CephError."""
        self.run(list(words))

    def run(self, words: List[str]) -> str:
        """The output of a command. Raises CephError with its complaint."""
        argv = ["ceph", "--connect-timeout", self.connect] + words
        return said_by(argv, " ".join(["ceph"] + words), self.environment, self.patience)


def said_by(argv: List[str], shown: str, environment: Dict[str, str], patience: float) -> str:
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
        said = lines[-1] if lines else "exit code {}".format(done.returncode)
        raise CephError("{}: {}".format(shown, said))
    return done.stdout.decode("utf-8", "replace")
