"""Options that a tool of this host lists itself: a plan is told before it runs what is missing."""

import contextlib
import os
import re
import shutil
import subprocess
import time
from typing import Any, Dict, List, Optional

from ..files import read_json, write_json
from .identity import command_environment
from .tool_versions import Asked, ask, mark

# Each line of the answers begins with an option's name.
QUESTIONS: Dict[str, List[str]] = {
    "fio": [
        "--enghelp",
        "--cmdhelp=all",
        "--enghelp=libaio",
        "--enghelp=io_uring",
        "--enghelp=pvsync2",
    ],
}
NAME = re.compile(r"^ {0,8}([a-z][a-z0-9_-]{1,39}) *: ", re.MULTILINE)
# Of a bare --enghelp: a line for each engine that this fio was built with.
ENGINE = re.compile(r"^\t([a-z][a-z0-9_-]{0,39})$", re.MULTILINE)
KNOWN = "options.json"
PATIENCE = 5.0  # seconds for all of them together
LONGEST = 256 * 1024
MOST = 1000


def tool_options(base: str) -> Dict[str, List[str]]:
    """Names of options by tool; a tool that is not there, or lists none, is left out.

    Kept in `options.json`, and asked again when the program is another one or more is asked. An
    engine is listed as "ioengine=libaio".
    """
    environment = command_environment(base)
    path = os.path.join(base, KNOWN)
    known = read_json(path)
    found: Dict[str, Any] = {}
    for name, questions in QUESTIONS.items():
        program = shutil.which(name, path=environment["PATH"])
        if program is None:
            continue
        told = known.get(name) if isinstance(known, dict) else None
        now = mark(program)
        if (
            now
            and isinstance(told, dict)
            and (told.get("mark"), told.get("asked")) == (now, questions)
        ):
            found[name] = told
        else:
            asked = [ask([program, question], environment) for question in questions]
            found[name] = {"mark": now, "asked": questions, "options": listed(asked)}
    if found != known:
        with contextlib.suppress(OSError):
            write_json(path, found, durable=False)
    return {name: told["options"] for name, told in found.items() if told["options"]}


def listed(asked: List[Optional[Asked]]) -> List[str]:
    """The names at the beginnings of lines, and engines."""
    until = time.monotonic() + PATIENCE
    names = set()
    for one in asked:
        if one is not None:
            text = text_of(one, until)
            names.update(NAME.findall(text))
            names.update("ioengine=" + engine for engine in ENGINE.findall(text))
    return sorted(names)[:MOST]


def text_of(asked: Asked, until: float) -> str:
    """Text that a program printed; nothing if it did not end in time."""
    process, output = asked
    try:
        process.wait(max(0.01, until - time.monotonic()))
        ended = True
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        ended = False
    with output:
        output.seek(0)
        return output.read(LONGEST).decode("utf-8", "replace") if ended else ""
