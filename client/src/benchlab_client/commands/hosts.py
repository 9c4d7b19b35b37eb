"""benchlab hosts: the hosts and their health."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.exit_codes import OK
from benchlab_client.output import local_time, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the filters."""
    parser.add_argument("query", nargs="?", metavar="NAME", help="part of a name or an address")
    parser.add_argument("--tag", help="only hosts with this tag")
    parser.add_argument("--health", choices=["ok", "warning", "unreachable", "unchecked"])


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Print the hosts."""
    rows = list(client.hosts(q=arguments.query, tag=arguments.tag, health=arguments.health))
    if arguments.json:
        print_json(rows)
        return OK
    heads = ("ID", "NAME", "ADDRESS", "HEALTH", "CHECKED", "TAGS")
    print_table(
        heads,
        (
            (row["id"], row["name"], row["address"], row["health"], local_time(row["checked_at"]),
             row["tags"])
            for row in rows
        ),
    )  # fmt: skip
    return OK
