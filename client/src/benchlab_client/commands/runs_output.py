"""What commands print about runs that have ended."""

from __future__ import annotations

from typing import Sequence

from benchlab_client.client import Client
from benchlab_client.exit_codes import NO_RESULT, OK
from benchlab_client.output import duration, note, print_json, print_table
from benchlab_client.progress import needed_cases
from benchlab_client.types import RunDetail


def print_ended(client: Client, runs: Sequence[RunDetail], *, as_json: bool) -> int:
    """Print runs that have ended; return 6 unless all succeeded."""
    if as_json:
        print_json(runs[0] if len(runs) == 1 else list(runs))
    else:
        print_table(
            ("RUN", "NAME", "STATE", "CASES", "DURATION", "PAGE"),
            ((run["id"], run["name"], run["state"], _cases(run),
              duration(run["progress"]["elapsed"]), client.page_url(f"runs/{run['id']}/"))
             for run in runs),
        )  # fmt: skip
    return exit_code(runs)


def exit_code(runs: Sequence[RunDetail]) -> int:
    """Return 6 unless all runs succeeded; write the reasons to stderr."""
    bad = [run for run in runs if run["state"] != "succeeded"]
    for run in bad:
        note(f"Run {run['id']} {run['state']}. {run['reason']}".rstrip())
    return NO_RESULT if bad else OK


def _cases(run: RunDetail) -> str:
    return f"{run['progress']['succeeded']}/{needed_cases(run)}"
