"""benchlab cancel: request the end of runs."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.commands.options import identifier
from benchlab_client.exit_codes import OK
from benchlab_client.output import print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the runs."""
    parser.add_argument("run", metavar="RUN", nargs="+", type=identifier, help="number of a run")


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Cancel; a started run ends when its settings are restored."""
    rows = [client.run_cancel(id) for id in arguments.run]
    if arguments.json:
        print_json(rows[0] if len(rows) == 1 else rows)
    else:
        print_table(
            ("RUN", "NAME", "STATE"), ((row["id"], row["name"], row["state"]) for row in rows)
        )
    return OK
