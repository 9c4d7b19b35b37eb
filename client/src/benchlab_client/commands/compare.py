"""benchlab compare: the verdicts of a comparison, as the page words them."""

from __future__ import annotations

import argparse

from benchlab_client.client import Client
from benchlab_client.commands.options import identifier
from benchlab_client.comparison import Comparison
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import NO_RESULT, OK, UNDECIDED
from benchlab_client.output import note, plain, print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the selection and the question."""
    parser.add_argument("--run", action="append", type=identifier, help="may be repeated")
    parser.add_argument("--plan", type=identifier, help="all runs of this plan")
    parser.add_argument("--factor", help="tuning (default), host, target, disk, run or param:NAME")
    parser.add_argument("--baseline", help="level that the others are compared with")
    parser.add_argument("--metric", action="append", help="such as iops; may be repeated")
    parser.add_argument("--operation", help="only this operation, such as read")
    parser.add_argument("--host", type=identifier, help="only this host")
    parser.add_argument("--target", help="only this target, by name or number")
    parser.add_argument("--tuning", help="only this tuning, by name or number")
    parser.add_argument(
        "--minimum", type=float, metavar="PERCENT", help="a smaller difference does not matter"
    )


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Print the verdicts; return 6 without results, 5 if nothing is comparable."""
    if not arguments.run and not arguments.plan:
        raise UsageError("Name runs (--run) or a plan (--plan).")
    names = (
        "run", "plan", "factor", "baseline", "metric", "operation", "host", "target", "tuning",
        "minimum",
    )  # fmt: skip
    comparison = client.compare(**{name: getattr(arguments, name) for name in names})
    if arguments.json:
        print_json(comparison.data)
    else:
        _print(comparison)
    if not len(comparison):
        note("The selection has no results that can be compared.")
        return NO_RESULT
    same = all(one.verdict == "not_comparable" for one in comparison)
    return UNDECIDED if same else OK


def _print(comparison: Comparison) -> None:
    for sentence in comparison.headline:
        print(plain(sentence))
    if len(comparison):
        print()
        print_table(
            ("VERDICT", "WORKLOAD", "TARGET", "LEVEL", "METRIC", "N", "SENTENCE"),
            (
                (one.verdict.replace("_", " "), one.name, one.where, one.level, one.metric,
                 f"{one.baseline_n}/{one.n}", one.sentence)
                for one in comparison
            ),
        )  # fmt: skip
    note(comparison.page)
