"""Command line: the table of commands, common options, errors as exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from types import ModuleType
from typing import Dict, Optional, Sequence, Tuple

from benchlab_client import exit_codes
from benchlab_client.age import min_client
from benchlab_client.client import Client
from benchlab_client.commands import (
    book,
    cancel,
    compare,
    completion,
    export,
    gate,
    hosts,
    import_,
    launch,
    login,
    mcp,
    plans,
    queue,
    report,
    wait,
    watch,
)
from benchlab_client.errors import BenchlabError, ServerError
from benchlab_client.output import note
from benchlab_client.version import VERSION

COMMANDS: Dict[str, Tuple[ModuleType, str]] = {
    "login": (login, "Store the address of a server and a token"),
    "hosts": (hosts, "List hosts"),
    "plans": (plans, "List test plans"),
    "launch": (launch, "Launch a run of a plan"),
    "watch": (watch, "Print the progress of a run until it has ended"),
    "wait": (wait, "Wait until runs have ended"),
    "cancel": (cancel, "Request the end of runs"),
    "compare": (compare, "Compare results and print the verdicts"),
    "gate": (gate, "Decide whether a run keeps limits against a baseline"),
    "import": (import_, "Import outputs of tools"),
    "export": (export, "Write measurements to a file"),
    "report": (report, "List reports, or write one as a document"),
    "queue": (queue, "List running and queued runs"),
    "book": (book, "Book hosts, list or end bookings"),
    "mcp": (mcp, "Serve read-only tools to an assistant (Model Context Protocol)"),
    "completion": (completion, "Print the completion script of a shell"),
}
"""Module and help of each command. A module has `add_arguments(parser)` and
`run(arguments, client)`, which returns the exit code."""
WITHOUT_CLIENT = ("login", "completion")
"""Commands whose `run` gets None: they work without a token."""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="benchlab",
        description="Launch test plans, compare results and export measurements of benchlab.",
        epilog="The address and the token come from BENCHLAB_URL and BENCHLAB_TOKEN, else from "
        "`benchlab login`. Exit codes: docs/reference/client.md.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"benchlab-client {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, text) in COMMANDS.items():
        one = commands.add_parser(name, help=text, description=f"{text}.", allow_abbrev=False)
        one.add_argument("--url", help="address of the server (default: BENCHLAB_URL)")
        one.add_argument("--json", action="store_true", help="print JSON instead of tables")
        module.add_arguments(one)
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run one command; return its exit code."""
    try:
        parsed = build_parser().parse_args(arguments)
        return _run(parsed)
    except BenchlabError as error:
        note(f"benchlab: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        note("")
        return exit_codes.INTERRUPTED
    except BrokenPipeError:
        # The reader, such as head(1), has enough; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exit_codes.OK


def _run(parsed: argparse.Namespace) -> int:
    module = COMMANDS[parsed.command][0]
    if parsed.command in WITHOUT_CLIENT:
        code = module.run(parsed, None)
    else:
        with Client(parsed.url) as client:
            try:
                code = module.run(parsed, client)
            except ServerError:
                if least := min_client(client):
                    note(f"benchlab: This is client {VERSION}; the server needs {least} or newer.")
                raise
    sys.stdout.flush()
    return int(code)
