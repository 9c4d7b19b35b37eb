"""Questions over one connection for as long as somebody waits for the cluster, on a host whose
daemons are just coming back, or asks it a few things.
"""

import errno
from typing import Dict, List

from .batch import Answer, Question, answer_of, one_by_one, program, words
from .command import CONNECT, PATIENCE, Ceph, CephError
from .line import Line


class Conversation:
    """Each question is asked as if there were no conversation where no connection can be had, or
    one breaks off at once. `connect` and `patience`: as those of `Ceph`.
    """

    def __init__(
        self, environment: Dict[str, str], connect: str = CONNECT, patience: float = PATIENCE
    ) -> None:
        self.ceph = Ceph(environment, connect, patience)
        self.line = Line(environment, program(connect, patience), connect, patience)

    def ask(self, commands: List[Question]) -> List[Answer]:
        """An answer for each command of the monitors, such as {"prefix": "config set", "who":
        "osd", "name": "osd_max_backfills", "value": "3"}, in their order. Raises CephError where
        the cluster cannot be asked.
        """
        fresh = False
        while not fresh:
            fresh = self.line.process is None
            try:
                return [answer_of(command, self.line.ask(command)) for command in commands]
            except OSError as error:  # one that is not fresh was ended since the last question
                if fresh and error.errno == errno.ETIMEDOUT:
                    raise CephError(str(error.strerror)) from None
            except CephError as error:
                raise CephError("{}: {}".format(" ".join(words(commands[0])), error)) from None
        return [one_by_one(self.ceph, command) for command in commands]

    def end(self) -> None:
        """Close the connection; the next question begins another."""
        self.line.end()


def ask_all(environment: Dict[str, str], commands: List[Question]) -> List[Answer]:
    """The answers to these alone. Raises CephError."""
    talk = Conversation(environment)
    try:
        return talk.ask(commands)
    finally:
        talk.end()
