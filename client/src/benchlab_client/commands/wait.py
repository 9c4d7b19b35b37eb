"""benchlab wait: until runs have ended."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.commands.options import add_timeout, identifier
from benchlab_client.commands.runs_output import print_ended
from benchlab_client.waiting import wait_for_runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the runs."""
    parser.add_argument("run", metavar="RUN", nargs="+", type=identifier, help="number of a run")
    add_timeout(parser)


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Wait without a word, with a progress bar on a terminal."""
    ended = wait_for_runs(client, arguments.run, timeout=arguments.timeout)
    return print_ended(client, ended, as_json=arguments.json)
