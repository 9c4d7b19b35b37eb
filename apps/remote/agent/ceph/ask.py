"""The builtin command `@ceph-ask`: questions to the cluster over one connection, each answer in a
file of its own.
"""

import json
from typing import Dict, List

from ..files import write_all
from .command import CephError
from .connection import Connection
from .pool import NAME

MAY_FAIL = "--may-fail"


def ceph_ask(words: List[str], environment: Dict[str, str]) -> int:
    """`FILE QUESTION ... [--may-fail FILE QUESTION ...]`, a question being a monitors' command as
    JSON. Complaints go to stderr; the first question that fails and may not ends it with exit code
    1.
    """
    end = words.index(MAY_FAIL) if MAY_FAIL in words else len(words)
    with Connection(environment) as ceph:
        for number in range(0, end - 1, 2):
            if not answer_written(ceph, words[number], words[number + 1]):
                return 1
        for number in range(end + 1, len(words) - 1, 2):
            answer_written(ceph, words[number], words[number + 1])
    return 0


def answer_written(ceph: Connection, name: str, question: str) -> bool:
    """Whether the answer, as JSON, is in the file."""
    try:
        if not NAME.match(name):
            raise CephError("@ceph-ask: {!r} is no name of a file.".format(name))
        answer = ceph.answer(dict(json.loads(question), format="json"))
        if answer.error:
            raise CephError(answer.error)
    except (CephError, ValueError) as error:
        write_all(2, "{}\n".format(error).encode())
        return False
    with open(name, "wb") as file:
        file.write(answer.text.encode())
    return True
