"""benchlab plans: the test plans."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.exit_codes import OK
from benchlab_client.output import print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the filters."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="part of a name")
    parser.add_argument("--tool", help="only plans with this tool")


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Print the plans."""
    rows = list(client.plans(name=arguments.name, tool=arguments.tool))
    if arguments.json:
        print_json(rows)
        return OK
    print_table(
        ("ID", "NAME", "OWNER", "REPEATS", "TARGETS"),
        ((row["id"], row["name"], row["owner"], row["repeats"], row["targets"]) for row in rows),
    )
    return OK
