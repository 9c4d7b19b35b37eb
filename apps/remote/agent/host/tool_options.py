"""Options that tools of this host support, to reject unsupported plans before they run."""

import contextlib
import os
import re
import shutil
import subprocess
import time
from typing import Any, Dict, List, Optional

from ..files import read_json, write_json
from .identity import command_environment
from .tool_versions import RunningProgram, file_identity, start_program

# Each line of the output begins with an option's name.
OPTION_ARGUMENTS: Dict[str, List[str]] = {
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
CACHE_FILE = "options.json"
TIMEOUT_SECONDS = 5.0  # for all programs together
MAX_OUTPUT_BYTES = 256 * 1024
MAX_OPTIONS = 1000


def tool_options(base: str) -> Dict[str, List[str]]:
    """Return option names by tool; omits absent tools and those without a list.

    Cached in `options.json` until the program or the arguments change. An engine is listed as
    "ioengine=libaio".
    """
    environment = command_environment(base)
    path = os.path.join(base, CACHE_FILE)
    cache = read_json(path)
    result: Dict[str, Any] = {}
    for name, questions in OPTION_ARGUMENTS.items():
        program = shutil.which(name, path=environment["PATH"])
        if program is None:
            continue
        entry = cache.get(name) if isinstance(cache, dict) else None
        now = file_identity(program)
        if (
            now
            and isinstance(entry, dict)
            and (entry.get("file"), entry.get("arguments")) == (now, questions)
        ):
            result[name] = entry
        else:
            processes = [start_program([program, question], environment) for question in questions]
            result[name] = {"file": now, "arguments": questions, "options": option_names(processes)}
    if result != cache:
        with contextlib.suppress(OSError):
            write_json(path, result, durable=False)
    return {name: entry["options"] for name, entry in result.items() if entry["options"]}


def option_names(processes: List[Optional[RunningProgram]]) -> List[str]:
    """Return option and engine names in the output."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    names = set()
    for one in processes:
        if one is not None:
            text = output_text(one, deadline)
            names.update(NAME.findall(text))
            names.update("ioengine=" + engine for engine in ENGINE.findall(text))
    return sorted(names)[:MAX_OPTIONS]


def output_text(program: RunningProgram, deadline: float) -> str:
    """Return the output of a program; "" if it did not end in time."""
    process, output = program
    try:
        process.wait(max(0.01, deadline - time.monotonic()))
        ended = True
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        ended = False
    with output:
        output.seek(0)
        return output.read(MAX_OUTPUT_BYTES).decode("utf-8", "replace") if ended else ""
