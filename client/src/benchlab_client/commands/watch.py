"""benchlab watch: the progress of a run, line by line."""

from __future__ import annotations

import argparse
import json
import time
from typing import Set

from benchlab_client.client import Client
from benchlab_client.commands.options import add_timeout, identifier
from benchlab_client.commands.runs_output import exit_code, print_ended
from benchlab_client.output import plain
from benchlab_client.progress import progress_text
from benchlab_client.types import RunDetail
from benchlab_client.waiting import wait_for_runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the run."""
    parser.add_argument("run", metavar="RUN", type=identifier, help="number of a run")
    add_timeout(parser)


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Print a line at each change; with --json the run as one JSON object a line."""
    lines = Lines(client, as_json=arguments.json)
    ended = wait_for_runs(client, [arguments.run], timeout=arguments.timeout, changed=lines.show)
    if arguments.json:
        return exit_code(ended)
    return print_ended(client, ended, as_json=False)


class Lines:
    """Prints changes of the progress, and each failed case once with its reason."""

    def __init__(self, client: Client, *, as_json: bool) -> None:
        self._client, self._as_json = client, as_json
        self._last: object = None
        self._failed: Set[int] = set()

    def show(self, run: RunDetail) -> None:
        """Print a run if its state or its counts of cases changed."""
        counts = run["progress"]
        bad = counts["failed"] + counts["lost"]
        state = (run["state"], counts["done"], counts["total"], bad)
        if state != self._last:
            self._last = state
            if self._as_json:
                print(json.dumps(run, ensure_ascii=False), flush=True)
            else:
                self._print(progress_text(run))
        # Not only at a change: a failure of the network may have prevented it before.
        if bad > len(self._failed) and not self._as_json:
            self._print_failed(run["id"])

    def _print_failed(self, run: int) -> None:
        for case in self._client.cases(run=run, state=["failed", "lost"]):
            if case["id"] not in self._failed:
                self._failed.add(case["id"])
                name = f"{case['label']}, {case['target_name']}"
                self._print(f"  {case['state']}: {name}. {case['reason']}")

    def _print(self, text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')}  {plain(text)}", flush=True)
