"""The builtin command `@ceph-ask`: questions to the cluster over one connection, each answer in a
file of its own.
"""

from typing import Dict, List

from ..files import write_all
from .command import Ceph, CephError
from .pool import NAME
from .typed import JSON, connected

MAY_FAIL = "--may-fail"


def ceph_ask(words: List[str], environment: Dict[str, str]) -> int:
    """`FILE QUESTION ... [--may-fail FILE QUESTION ...]`, a question being words of ceph(8), "osd
    dump". Complaints go to stderr; exit code 1 for one of a question that may not fail, after which
    nothing is asked.
    """
    place = words.index(MAY_FAIL) if MAY_FAIL in words else len(words)
    with connected(environment) as ceph:
        for number in range(0, place - 1, 2):
            if not kept(ceph, words[number], words[number + 1]):
                return 1
        for number in range(place + 1, len(words) - 1, 2):
            kept(ceph, words[number], words[number + 1])
    return 0


def kept(ceph: Ceph, name: str, question: str) -> bool:
    """Whether the answer, as JSON, is in the file."""
    try:
        if not NAME.match(name):
            raise CephError("@ceph-ask: {!r} is no name of a file.".format(name))
        said = ceph.run(question.split(" ") + JSON)
    except CephError as error:
        write_all(2, "{}\n".format(error).encode())
        return False
    with open(name, "wb") as file:
        file.write(said.encode())
    return True
