"""`ceph` as people type it, many commands over one connection: Ceph's own modules (with which the
`ceph` command is written) find out what the words mean, and send it; among those commands alone
that begin with the words, as among all it takes 15 ms. What they do not understand, and everything
where they are not there, is given to the command.
"""

from contextlib import contextmanager
from typing import Any, Dict, Iterator, List

from .batch import BEGINNING, named
from .command import CONNECT, PATIENCE, Ceph, CephError
from .line import Line

PROGRAM = """
from ceph_argparse import CephPrefix, json_command, parse_json_funcsigs, validate_command
known = json_command(cluster, prefix="get_command_descriptions", timeout={patience})[1]
known = parse_json_funcsigs(known.decode(), "cli")
def begins(pair):
    fixed = [each.instance.prefix for each in pair[1]["sig"] if each.t is CephPrefix]
    return fixed == words[:len(fixed)]
for line in sys.stdin:
    words, said = json.loads(line), None
    try:
        asked = validate_command(dict(filter(begins, known.items())), words)
    except Exception:
        asked = None
    if asked:
        asked["format"] = "json"
        code, out, told = json_command(cluster, argdict=asked, timeout={patience})
        said = [code, out.decode("utf-8", "replace"), told]
    print(json.dumps(said), flush=True)
os._exit(0)
"""
JSON = ["--format", "json"]


class TypedCeph(Ceph):
    """The cluster that the environment's ceph.conf names; `end` closes the connection."""

    def __init__(self, environment: Dict[str, str]) -> None:
        Ceph.__init__(self, environment)
        program = (BEGINNING + PROGRAM).format(connect=CONNECT, patience=int(PATIENCE))
        self.line = Line(environment, program)

    def run(self, words: List[str]) -> str:
        """The output of a command, as JSON. Raises CephError with its complaint."""
        typed = words[:-2] if words[-2:] == JSON else words
        said = self.said(typed) if typed[0] != "tell" else None
        if said is None:
            return Ceph.run(self, words)
        code, out, told = said
        if code < 0:
            raise CephError("ceph {}: Error {}: {}".format(" ".join(words), named(code), told))
        return str(out)

    def said(self, words: List[str]) -> Any:
        """Code, output and complaint; None where the command itself has to be asked. Raises
        CephError.
        """
        try:
            return self.line.ask(words)
        except OSError:
            return None
        except CephError as error:
            raise CephError("ceph {}: {}".format(" ".join(words), error)) from None


@contextmanager
def connected(environment: Dict[str, str]) -> Iterator[Ceph]:
    """The cluster for some commands."""
    ceph = TypedCeph(environment)
    try:
        yield ceph
    finally:
        ceph.line.end()
