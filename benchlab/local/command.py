"""The called command of bin/, run inside the project's environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT, Home, home
from benchlab.local.usage import ASKING, usage
from benchlab.local.venv import ensure_venv

SETS = {"test": "dev", "bench": "dev", "chaos": "dev", "look": "dev"}
MODULES = {
    "test": "tests.harness.check",
    "bench": "tests.bench",
    "chaos": "tests.chaos",
    "look": "tests.browser.look",
}


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit code. A StartError becomes its sentence on stderr and 1."""
    if not arguments:
        print(
            "Use bin/up, bin/demo, bin/manage, bin/bench, bin/chaos, bin/look or bin/test.",
            file=sys.stderr,
        )
        return 2
    if told := usage(arguments[0], arguments[1:]):
        print(told)
        return 0
    try:
        here = home().make()
        # What we start gets the absolute path, wherever it runs.
        os.environ["BENCHLAB_HOME"] = str(here.root)
        _enter_environment(here, arguments)
        return _run(here, arguments[0], arguments[1:])
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _enter_environment(here: Home, arguments: Sequence[str]) -> None:
    """Go on under the environment's Python: returns only when this process already does."""
    python = ensure_venv(here, SETS.get(arguments[0], "runtime"))
    if Path(sys.prefix).resolve() != here.venv.resolve():
        os.execv(python, [str(python), str(Path(__file__).parent), *arguments])


def _run(here: Home, name: str, rest: Sequence[str]) -> int:
    if name == "manage" and rest[:1] == ["parse"] and not ASKING & set(rest):
        # Reading a file needs no Django: most of the time went into loading every app.
        from apps.tools.parse_cli import main as parse

        return parse(rest[1:])
    if name == "manage" and rest[:1] == ["steps"] and not ASKING & set(rest):
        from apps.tools.steps_cli import main as steps

        return steps(rest[1:])
    if name == "manage":
        from benchlab.ops.manage import manage

        return manage(here, rest)
    if name in MODULES:
        # A process of its own: here `tests` is this folder's, and the harness lives in the other.
        os.chdir(PROJECT)
        os.execv(sys.executable, [sys.executable, "-m", MODULES[name], *rest])
    from benchlab.ops.up import up

    return up(here, demo=name == "demo", arguments=rest)
