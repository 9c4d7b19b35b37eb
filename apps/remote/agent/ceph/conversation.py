"""Questions over one connection for as long as somebody waits for the cluster, on a host whose
daemons are just coming back.
"""

from typing import Dict, List

from .batch import Answer, Question, answer_of, ask_all, program
from .line import Line


class Conversation:
    """Each question is asked as if there were no conversation where no connection can be had, or
    one breaks off at once.
    """

    def __init__(self, environment: Dict[str, str]) -> None:
        self.line = Line(environment, program())

    def ask(self, commands: List[Question]) -> List[Answer]:
        """As `ask_all`. Raises CephError."""
        fresh = False
        while not fresh:
            fresh = self.line.process is None
            try:
                return [answer_of(command, self.line.ask(command)) for command in commands]
            except OSError:  # one that is not fresh was ended since the last question
                continue
        return ask_all(self.line.environment, commands)

    def end(self) -> None:
        """Close the connection; the next question begins another."""
        self.line.end()
