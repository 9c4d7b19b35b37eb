"""Run a command of bin/ inside the virtual environment."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchlab.local.errors import StartError
from benchlab.local.paths import PROJECT, Home, home
from benchlab.local.venv import ensure_venv

HELP = {"-h", "--help"}
MODULES = {
    "test": "tests.harness.check",
    "bench": "tests.bench",
    "chaos": "tests.chaos",
    "visual-check": "tests.browser.visual_check",
}
DESCRIPTIONS = {
    "up": """Start benchlab on this machine, and run it until Ctrl-C.

On first use it makes its environment and its database, and prints the admin's login.
BENCHLAB_HOME (default: ./var) holds the state. The web server listens on BENCHLAB_BIND (default:
127.0.0.1) and BENCHLAB_PORT (default: 8000). DATABASE_URL and REDIS_URL replace the embedded
servers.
All variables: docs/reference/environment.md""",
    "demo": """As bin/up, then compare two tunings on a disk of its own.

The disk is a loop device over a file in BENCHLAB_HOME/demo (as root; else a directory). It is
detached when the command ends.""",
    "manage": """Django's manage.py in the project's environment.

bin/manage help lists the commands, bin/manage COMMAND --help describes one. Without Django:
backup writes the whole database to a file and the secret keys to another; restore fills an
empty home from a backup.""",
    "bundle": """Make one tar for machines without internet: source, wheels, agent, SHA-256 sums.

Unpacked there, bin/up makes its environment from the wheels alone. They are for this Python and
this kind of processor. More: docs/operations/bundle.md""",
    "test": """Every check of the project; with arguments pytest with these arguments.

As root it installs the programs that the tests use (fio, Chromium, a small Ceph ...).
More: docs/development/testing.md; pytest's own arguments: bin/test apps --help""",
}


def main(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code. The message of a StartError goes to stderr."""
    name, rest = arguments[0], arguments[1:]
    if name in DESCRIPTIONS:
        _parse(name, rest)
    try:
        here = home().make()
        # Absolute for child processes in another working directory.
        os.environ["BENCHLAB_HOME"] = str(here.root)
        _enter_environment(here, arguments)
        return _run(here, name, rest)
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parse(name: str, rest: Sequence[str]) -> None:
    """Exit with the help or an error before anything is created.

    Arguments of `manage` and `test` belong to Django and pytest.
    """
    parser = argparse.ArgumentParser(
        prog=f"bin/{name}",
        description=DESCRIPTIONS[name],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if name in ("manage", "test"):
        parser.usage = f"bin/{name} [ARGUMENT ...]"
        if (HELP & set(rest[:1])) or (name == "manage" and not rest):
            parser.print_help()
            sys.exit()
        return
    if name == "demo":
        parser.add_argument(
            "--exit", action="store_true", help="stop after the run; code 0 when it succeeded"
        )
    if name == "bundle":
        parser.add_argument(
            "file", nargs="?", metavar="FILE", help="default: benchlab-VERSION.tar here"
        )
    parser.parse_args(rest)


def _enter_environment(here: Home, arguments: Sequence[str]) -> None:
    """Continue under the environment's Python; return only if this process already runs there."""
    python = ensure_venv(here, "dev" if arguments[0] in MODULES else "runtime")
    if Path(sys.prefix).resolve() != here.venv.resolve():
        os.execv(python, [str(python), str(Path(__file__).parent), *arguments])


def _run(here: Home, name: str, rest: Sequence[str]) -> int:
    if name in MODULES:
        # A new process: `tests` of this one are those beside this file.
        os.chdir(PROJECT)
        os.execv(sys.executable, [sys.executable, "-m", MODULES[name], *rest])
    if name == "bundle":
        from benchlab.ops.bundle import bundle

        return bundle(Path(rest[0]) if rest else None)
    if name != "manage":
        from benchlab.ops.up import up

        return up(here, demo=name == "demo", leave="--exit" in rest)
    # Without Django, which starts slower than a file is parsed.
    if rest[0] == "parse" and not HELP & set(rest):
        from apps.tools.parse_cli import main as parse

        return parse(rest[1:])
    if rest[0] == "steps" and not HELP & set(rest):
        from apps.tools.steps_cli import main as steps

        return steps(rest[1:])
    from benchlab.ops.manage import manage

    return manage(here, rest)
