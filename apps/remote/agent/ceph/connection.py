"""Questions to a Ceph cluster over one connection. Starting `ceph` and finding the cluster takes
about a second, a further question over a connection some milliseconds.
"""

import errno
import json
from typing import Any, Dict, List, NamedTuple

from ..host.identity import command_environment
from .binding import Binding
from .command import CONNECT, PATIENCE, CephError, Question, ceph_words, run_ceph


class Answer(NamedTuple):
    """The output of a command, or (`error` is not empty) the cluster's complaint."""

    text: str
    error: str = ""

    def json(self) -> Any:
        """The document in it. Raises CephError with the complaint."""
        if self.error:
            raise CephError(self.error)
        try:
            return json.loads(self.text) if self.text.strip() else None
        except ValueError:
            raise CephError("ceph: the answer is no JSON.") from None


class Connection:
    """The cluster that the environment's ceph.conf names. Where Ceph's Python binding cannot be
    used, such as with a `ceph` that is a shell script around a container, the command is run.
    `connect` and `patience`: seconds to find a monitor, and for one answer.
    """

    def __init__(
        self, environment: Dict[str, str], connect: str = CONNECT, patience: float = PATIENCE
    ) -> None:
        self.environment = environment
        self.connect = connect
        self.patience = patience
        self.binding = Binding(environment, connect, patience)

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def ask(self, prefix: str, **arguments: Any) -> Any:
        """The decoded answer of a command. Raises CephError."""
        return self.answer(dict({"prefix": prefix}, format="json", **arguments)).json()

    def answers(self, questions: List[Question]) -> List[Answer]:
        """An answer for each question, in order. Raises CephError where no monitor is found."""
        return [self.answer(question) for question in questions]

    def answer(self, question: Question) -> Answer:
        """The answer of a command. Raises CephError where no monitor is found."""
        connected = self.binding.process is not None
        try:
            code, output, complaint = self.binding.ask(question)
        except CephError as error:
            raise CephError("{}: {}".format(shown(question), error)) from None
        except OSError as error:
            if connected:  # the process ended since the last question
                return self.answer(question)
            if error.errno == errno.ETIMEDOUT:
                raise CephError(str(error.strerror)) from None
            return self.answer_of_command(question)
        if code >= 0:
            return Answer(output)
        name = errno.errorcode.get(-code, str(-code))
        return Answer("", "{}: Error {}: {}".format(shown(question), name, complaint))

    def answer_of_command(self, question: Question) -> Answer:
        """The same from the `ceph` command."""
        try:
            words = ceph_words(question)
            return Answer(run_ceph(words, self.environment, self.connect, self.patience))
        except CephError as error:
            return Answer("", str(error))

    def end(self) -> None:
        """Close the connection; the next question opens another one."""
        self.binding.end()


def shown(question: Question) -> str:
    """A question as people type it."""
    return " ".join(ceph_words(question))


def connection() -> Connection:
    """The cluster that this host is a client of."""
    return Connection(command_environment("/"))


def ask_cluster(questions: List[Question]) -> List[Answer]:
    """The answers of that cluster, in order. Raises CephError where no monitor is found."""
    if not questions:
        return []
    with connection() as ceph:
        return ceph.answers(questions)
