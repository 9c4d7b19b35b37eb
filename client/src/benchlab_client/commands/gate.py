"""benchlab gate: decide whether a run keeps limits against a baseline."""

from __future__ import annotations

import argparse
import os
import re
from typing import Dict, List

from benchlab_client.client import Client
from benchlab_client.commands.options import add_timeout, identifier
from benchlab_client.errors import UsageError
from benchlab_client.files import output_file
from benchlab_client.gate.annotations import annotation_lines
from benchlab_client.gate.decisions import TITLES, Gate, read_gate
from benchlab_client.gate.junit import write_junit
from benchlab_client.gate.summary import summary_text
from benchlab_client.gate.until_decided import (
    DEFAULT_MAX_REPEATS,
    Deadline,
    decide_ended_run,
)
from benchlab_client.output import note, plain, print_json, print_table

LIMITS: Dict[str, str] = {
    "iops": "iops", "bandwidth": "bandwidth", "mean": "latency_mean", "p50": "latency_p50",
    "p95": "latency_p95", "p99": "latency_p99", "p99.9": "latency_p999", "max": "latency_max",
}  # fmt: skip
"""Metrics of the API by the names of the options: --iops-worse, --p99-worse."""
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the run, the baseline, the limits and the files."""
    parser.add_argument("--run", type=identifier, required=True, help="run to decide on")
    parser.add_argument(
        "--against", required=True, metavar="KIND:NAME",
        help="baseline:NAME, run:NUMBER, or tuning:NAME or param:NAME=VALUE of the same run",
    )  # fmt: skip
    limits = parser.add_argument_group("limits", "at least one, such as --iops-worse 5%")
    for option, metric in LIMITS.items():
        limits.add_argument(
            f"--{option}-worse", type=percentage, metavar="PERCENT", dest=f"limit_{metric}",
            help=f"limit of {metric.replace('_', ' ')}",
        )  # fmt: skip
    parser.add_argument("--operation", default="", help="only this operation, such as read")
    parser.add_argument(
        "--undecided", choices=["fail", "warn", "pass"],
        help="fail: a failure in JUnit too; warn: exit code 0 with warnings; pass: exit code 0",
    )  # fmt: skip
    parser.add_argument("--until-decided", action="store_true", help="add repeats while undecided")
    parser.add_argument(
        "--max-repeats", type=identifier, metavar="N",
        help=f"most repeats to add with --until-decided (default: {DEFAULT_MAX_REPEATS})",
    )  # fmt: skip
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--summary", metavar="FILE", help="write a summary in Markdown")
    parser.add_argument(
        "--github", action="store_true",
        help=f"print annotations of GitHub; add the summary to {STEP_SUMMARY}",
    )  # fmt: skip
    add_timeout(parser)


def percentage(text: str) -> str:
    """Return a percentage without its sign. Raises: ArgumentTypeError."""
    number = text.strip()
    number = number[:-1].strip() if number.endswith("%") else number
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", number):
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage such as 5%")
    if not float(number):
        raise argparse.ArgumentTypeError("give a difference that matters: a limit above 0 %")
    return number


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Wait for the end of the run, print the decisions, write the files; return the exit code."""
    limits = {metric: getattr(arguments, f"limit_{metric}") for metric in LIMITS.values()}
    limits = {metric: text for metric, text in limits.items() if text is not None}
    if not limits:
        raise UsageError("Give at least one limit, such as --iops-worse 5%.")
    if arguments.max_repeats and not arguments.until_decided:
        raise UsageError("--max-repeats needs --until-decided.")

    def read() -> Gate:
        return read_gate(
            client, run=arguments.run, against=arguments.against, limits=limits,
            operation=arguments.operation,
        )  # fmt: skip

    most = (arguments.max_repeats or DEFAULT_MAX_REPEATS) if arguments.until_decided else 0
    gate = decide_ended_run(client, arguments.run, read, Deadline.of(arguments.timeout), most)
    _print(gate, as_json=arguments.json)
    _write_files(gate, arguments)
    return gate.exit_code(arguments.undecided)


def _print(gate: Gate, *, as_json: bool) -> None:
    if as_json:
        print_json(gate.data)
        return
    print_table(
        ("STATE", "WORKLOAD", "PLACE", "METRIC", "N", "LIMIT", "SENTENCE"),
        (
            (TITLES.get(one.state, one.state), one.workload, one.place, one.metric,
             f"{one.baseline_n}/{one.n}", one.limit, one.text)
            for one in gate.rows
        ),
    )  # fmt: skip
    print()
    print(plain(gate.text))
    note(gate.page)


def _write_files(gate: Gate, arguments: argparse.Namespace) -> None:
    if arguments.junit:
        with output_file(arguments.junit) as file:
            write_junit(gate, file, undecided=arguments.undecided)
    if arguments.summary:
        with output_file(arguments.summary) as file:
            file.write(summary_text(gate).encode())
    if arguments.github:
        _add_step_summary(gate)
        _print_lines(annotation_lines(gate, undecided=arguments.undecided), arguments.json)


def _print_lines(lines: List[str], as_json: bool) -> None:
    """Print commands of GitHub, which reads both outputs; stdout has nothing else with --json."""
    for line in lines:
        if as_json:
            note(line)
        else:
            print(plain(line))


def _add_step_summary(gate: Gate) -> None:
    """Append the summary to GitHub's file; a failure is a note, as the decision is made."""
    name = os.environ.get(STEP_SUMMARY)
    if not name:
        return
    try:
        with open(name, "ab") as file:
            text = summary_text(gate, used=file.tell())
            file.write(text.encode())
    except OSError as error:
        note(f"The step summary cannot be written: {error.strerror}.")
