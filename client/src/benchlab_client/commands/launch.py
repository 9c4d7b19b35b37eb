"""benchlab launch: a run of a plan."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.commands.options import add_timeout
from benchlab_client.commands.runs_output import print_ended
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import OK
from benchlab_client.output import note, print_json
from benchlab_client.waiting import wait_for_runs

MAX_SUGGESTIONS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the plan and what the API takes."""
    parser.add_argument("plan", metavar="PLAN", help="number or exact name of a plan")
    parser.add_argument("--wait", action="store_true", help="wait until the run has ended")
    parser.add_argument("--note", default="", help="note of the run")
    parser.add_argument("--priority", choices=["low", "normal", "high"])
    parser.add_argument(
        "--confirm-wipe", action="store_true",
        help="permit destroying file systems on the plan's disks",
    )  # fmt: skip
    parser.add_argument(
        "--key", metavar="TEXT",
        help="the same key returns the same run: for jobs that a pipeline may repeat",
    )  # fmt: skip
    add_timeout(parser)


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Launch; wait with --wait."""
    if arguments.timeout and not arguments.wait:
        raise UsageError("--timeout needs --wait.")
    launched = client.launch(
        find_plan(client, arguments.plan),
        note=arguments.note,
        priority=arguments.priority,
        confirm_wipe=arguments.confirm_wipe,
        idempotency_key=arguments.key,
    )
    page = f"Run {launched['id']}: {client.page_url('runs/')}{launched['id']}/"
    if not arguments.wait:
        if arguments.json:
            print_json(launched)
        else:
            print(launched["id"])
            note(page)
        return OK
    note(page)
    ended = wait_for_runs(client, [launched["id"]], timeout=arguments.timeout)
    return print_ended(client, ended, as_json=arguments.json)


def find_plan(client: Client, text: str) -> int:
    """Return the id of a plan by its number or exact name. Raises: UsageError."""
    if text.isascii() and text.isdigit():
        return int(text)
    similar = list(client.plans(name=text))
    exact = [plan for plan in similar if plan["name"] == text]
    if len(exact) == 1:
        return exact[0]["id"]
    listed = (exact or similar)[:MAX_SUGGESTIONS]
    names = ", ".join(f"{one['id']} {one['name']!r}" for one in listed)
    if exact:
        raise UsageError(f"Several plans have this name, so give a number: {names}")
    raise UsageError(f"No plan is named {text!r}." + (f" Similar: {names}" if names else ""))
