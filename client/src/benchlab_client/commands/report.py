"""benchlab report: list reports, or write one as a document."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchlab_client.client import Client
from benchlab_client.commands.options import identifier
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import OK
from benchlab_client.files import output_file
from benchlab_client.output import local_time, note, print_json, print_table

FORMATS = ("html", "json", "md", "pdf", "xlsx")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the report and the file."""
    parser.add_argument(
        "report", metavar="REPORT", nargs="?", type=identifier, help="number; without one: a list"
    )
    parser.add_argument("--title", help="list only reports with this in their title")
    parser.add_argument(
        "--format", choices=FORMATS, help="default: by the name of the file, else md"
    )
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="default: stdout")


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Print the list, or write the document."""
    if arguments.report is None:
        if arguments.format or arguments.output != "-":
            raise UsageError("--format and --output need the number of a report.")
        return _list(arguments, client)
    if arguments.title:
        raise UsageError("--title is for the list of reports.")
    format = _format(arguments)
    if arguments.output == "-" and format in ("pdf", "xlsx") and sys.stdout.isatty():
        raise UsageError(f"{format} is not for a terminal: give -o FILE.")
    with output_file(arguments.output) as file:
        client.report_document(arguments.report, file, format=format)
    if arguments.output != "-":
        size = Path(arguments.output).stat().st_size
        if arguments.json:
            print_json({"file": arguments.output, "format": format, "bytes": size})
        else:
            note(f"{arguments.output}: {size} bytes")
    return OK


def _list(arguments: argparse.Namespace, client: Client) -> int:
    rows = list(client.reports(title=arguments.title))
    if arguments.json:
        print_json(rows)
    else:
        print_table(
            ("ID", "TITLE", "OWNER", "CHANGED", "FROZEN"),
            ((row["id"], row["title"], row["owner"], local_time(row["updated_at"]),
              local_time(row["frozen_at"])) for row in rows),
        )  # fmt: skip
    return OK


def _format(arguments: argparse.Namespace) -> str:
    if arguments.format:
        return str(arguments.format)
    if arguments.output == "-":
        return "json" if arguments.json else "md"
    suffix = Path(arguments.output).suffix[1:]
    return suffix if suffix in FORMATS else "md"
