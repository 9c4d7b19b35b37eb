"""Many questions to a cluster's monitors in one go: starting `ceph` and finding the cluster takes
about a second, a question some milliseconds.

They go through Ceph's own Python binding (package python3-rados, which the `ceph` command is
written with), in the Python that `ceph` names in its first line: a process that reads commands of
the monitors as JSON and answers line by line. Where `ceph` is something else, such as a shell
script around a container, it is asked one by one.
"""

import errno
import json
import os
import re
import shutil
from typing import Any, Dict, List, NamedTuple, Optional

from .command import CONNECT, PATIENCE, Ceph, CephError

# What a monitor's command takes besides its name, in the order of `ceph`'s own words.
ARGUMENTS = ("who", "name", "key", "value", "val", "detail")
# A text instead of an answer: the cluster was looked for, and not found.
BEGINNING = """
import json, os, sys
import rados
cluster = rados.Rados(conffile=rados.Rados.DEFAULT_CONF_FILES)
try:
    cluster.connect(timeout={connect})
except rados.Error as error:
    print(json.dumps(str(error)), flush=True)
    os._exit(0)
"""
PROGRAM = """
for line in sys.stdin:
    code, out, said = cluster.mon_command(line.strip(), b"", timeout={patience})
    print(json.dumps([code, out.decode("utf-8", "replace"), said]), flush=True)
os._exit(0)
"""
# A command of the monitors by its name ("prefix"), with its arguments.
Question = Dict[str, str]
SHEBANG = re.compile(rb"#! ?(/\S*python3?[0-9.]*|/usr/bin/env python3)[ \n]")


class Answer(NamedTuple):
    """The output of a command, or (`error` is not empty) the cluster's complaint."""

    text: str
    error: str = ""

    def json(self) -> Any:
        """The document in it. Raises OSError with the complaint."""
        if self.error:
            raise OSError(errno.EIO, self.error)
        try:
            return json.loads(self.text) if self.text.strip() else None
        except ValueError:
            raise OSError(errno.EIO, "ceph: the answer is no JSON.") from None


def program(connect: str = CONNECT, patience: float = PATIENCE) -> str:
    """The process's source: a command a line in, its answer a line out."""
    return (BEGINNING + PROGRAM).format(connect=connect, patience=int(patience))


def answer_of(command: Question, line: List[Any]) -> Answer:
    """One line of the program; an error in the words of the `ceph` command."""
    code, out, said = line
    if code >= 0:
        return Answer(out)
    return Answer("", "{}: Error {}: {}".format(" ".join(words(command)), named(code), said))


def named(code: int) -> str:
    """The name of an error, such as ENOENT for -2."""
    return errno.errorcode.get(-code, str(-code))


def one_by_one(ceph: Ceph, command: Question) -> Answer:
    """The same through the `ceph` command."""
    try:
        return Answer(ceph.run(words(command)[1:]))
    except CephError as error:
        return Answer("", str(error))


def words(command: Question) -> List[str]:
    """The command as people type it. A value that begins with "-" is named, so that it is not read
    as an option.
    """
    found: List[str] = ["ceph"] + command["prefix"].split(" ")
    for name in ARGUMENTS:
        text = str(command.get(name, ""))
        if text:
            found.append("--{}={}".format(name, text) if text.startswith("-") else text)
    return found + (["--format", "json"] if command.get("format") else [])


def interpreter_of_ceph(environment: Dict[str, str]) -> Optional[List[str]]:
    """The Python that the `ceph` command runs in; None where it is no Python program."""
    path = shutil.which("ceph", path=environment.get("PATH"))
    if path is None or not os.access(path, os.R_OK):
        return None
    with open(path, "rb") as file:
        match = SHEBANG.match(file.read(200))
    return match.group(1).decode().split(" ") if match else None
