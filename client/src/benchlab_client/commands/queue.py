"""benchlab queue: running runs, then queued ones in their order."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.exit_codes import OK
from benchlab_client.output import local_time, note, print_json, print_table
from benchlab_client.types import QueueEntry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the queue is one list."""


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Print the queue."""
    queue = client.queue()
    if arguments.json:
        print_json(queue)
        return OK
    print_table(
        ("NO", "RUN", "NAME", "OWNER", "PRIORITY", "STATE", "START", "HOSTS", "REASON"),
        (
            (row["position"], row["run"], row["name"], row["owner"], row["priority"],
             row["state"], _start(row), row["hosts"],
             row["reason"])
            for row in queue["runs"]
        ),
    )  # fmt: skip
    for row in queue["requests"]:
        start = local_time(row["forecast"]["start"]) if row["forecast"] else "unknown"
        note(
            f"Requested booking {row['request']}: {row['entries']} for {row['hours']} h, "
            f"{row['holder']}; expected begin: {start}"
        )
    if queue["more"]:
        note("More runs are queued than the server lists.")
    return OK


def _start(row: QueueEntry) -> str:
    return local_time(row["forecast"]["start"]) if row["forecast"] else ""
