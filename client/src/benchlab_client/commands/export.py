"""benchlab export: all measurements of a selection as one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchlab_client.client import Client
from benchlab_client.commands.options import identifier
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import OK
from benchlab_client.files import output_file
from benchlab_client.output import note, print_json

FORMATS = ("csv", "jsonl", "parquet")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the filters and the file."""
    for name in ("run", "plan", "case", "target", "tuning"):
        parser.add_argument(f"--{name}", type=identifier, help=f"only this {name}, by its number")
    parser.add_argument("--host", help="only this host")
    parser.add_argument("--operation", help="only this operation, such as read")
    parser.add_argument("--workload", help="only this workload, by its key")
    parser.add_argument(
        "--valid", choices=["true", "false"], help="only valid, or only invalid results"
    )
    parser.add_argument(
        "--components", action="store_true", help="also the shares of hosts, disks, directories"
    )
    parser.add_argument(
        "--maxima", action="store_true", help="also the highest IOPS and bandwidth over time"
    )
    parser.add_argument(
        "--format", choices=FORMATS, help="default: by the name of the file, else csv"
    )
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="default: stdout")


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Write the file; its name appears when it is complete."""
    format = _format(arguments)
    to_stdout = arguments.output == "-"
    if to_stdout and format == "parquet" and sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal: give -o FILE.")
    names = ("run", "plan", "case", "target", "tuning", "host", "operation", "workload")
    filters = {name: getattr(arguments, name) for name in names}
    selection = client.measurements(
        **filters,
        valid=None if arguments.valid is None else arguments.valid == "true",
        components=True if arguments.components else None,
    )
    with output_file(arguments.output) as file:
        selection.export(file, format=format, maxima=arguments.maxima)
    if not to_stdout:
        size = Path(arguments.output).stat().st_size
        if arguments.json:
            print_json({"file": arguments.output, "format": format, "bytes": size})
        else:
            note(f"{arguments.output}: {size} bytes")
    return OK


def _format(arguments: argparse.Namespace) -> str:
    if arguments.format:
        return str(arguments.format)
    if arguments.output == "-":
        return "jsonl" if arguments.json else "csv"
    suffix = Path(arguments.output).suffix[1:]
    return suffix if suffix in FORMATS else "csv"
