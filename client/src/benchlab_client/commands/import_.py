"""benchlab import: outputs of tools become a run."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import BinaryIO, Iterator, List, Tuple, cast

from benchlab_client.client import Client
from benchlab_client.commands.options import add_timeout
from benchlab_client.errors import UsageError
from benchlab_client.exit_codes import NO_RESULT, OK
from benchlab_client.files import LazyFile
from benchlab_client.output import note, print_json, print_table
from benchlab_client.types import ImportDetail, ImportFile
from benchlab_client.waiting import wait_for_import

Upload = Tuple[str, BinaryIO]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files and their names."""
    parser.add_argument(
        "file", metavar="FILE", nargs="+", help="file, archive or folder; - is stdin"
    )
    parser.add_argument("--name", default="", help="name of the run")
    parser.add_argument("--note", default="", help="note of the run")
    parser.add_argument("--host", default="", metavar="NAME", help="host that was measured")
    parser.add_argument("--target", default="", metavar="NAME", help="target that was measured")
    parser.add_argument("--tuning", default="", metavar="NAME", help="tuning that was measured")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--store", action="store_true", help="store the results as a run")
    what.add_argument("--dry-run", action="store_true", help="show the results, store nothing")
    add_timeout(parser)


def run(arguments: argparse.Namespace, client: Client) -> int:
    """Upload, wait until a worker has read it, print the files, store on request."""
    answer = client.upload(
        _uploads(arguments.file),
        dry_run=arguments.dry_run,
        name=arguments.name,
        note=arguments.note,
        host_name=arguments.host,
        target_name=arguments.target,
        tuning_name=arguments.tuning,
    )
    if answer["state"] == "received":
        states = ("read", "stored", "discarded")
        answer = wait_for_import(client, answer["id"], states, timeout=arguments.timeout)
    if not answer["counts"]["selected"]:
        return _print(answer, client, arguments, NO_RESULT)
    if arguments.store:
        answer = client.import_store(answer["id"])
        if answer["state"] == "storing":
            states = ("stored", "read", "discarded")
            answer = wait_for_import(client, answer["id"], states, timeout=arguments.timeout)
    stored = not arguments.store or answer["run"] is not None
    return _print(answer, client, arguments, OK if stored else NO_RESULT)


def _print(answer: ImportDetail, client: Client, arguments: argparse.Namespace, code: int) -> int:
    if arguments.json:
        print_json(answer)
        return code
    files = answer["files"] if arguments.dry_run else client.import_files(answer["id"])
    print_table(("NO", "FILE", "STATE", "TOOL", "RESULTS", "NOTE"), map(_row, files))
    if answer["run"] is not None:
        note(f"Run {answer['run']}: {client.page_url('runs/')}{answer['run']}/")
    elif not arguments.dry_run:
        note(f"Not stored: {client.page_url('imports/')}{answer['id']}/")
    if answer["reason"]:
        note(answer["reason"])
    if code == NO_RESULT:
        note("The files have no result that would be stored.")
    return code


def _row(file: ImportFile) -> Tuple[object, ...]:
    notes = [file["parse_error"], *file["warnings"]]
    if file["duplicate_of"]:
        notes.append(f"same as {file['duplicate_of']}")
    text = " ".join(one for one in notes if one)
    return file["number"], file["path"], file["state"], file["tool"], len(file["points"]), text


def _uploads(names: List[str]) -> List[Upload]:
    """Return path and open file of each file. Raises: UsageError."""
    uploads: List[Upload] = []
    for name in names:
        if name == "-":
            uploads.append(("stdin", io.BytesIO(sys.stdin.buffer.read())))
            continue
        for path, shown in _files(Path(name)):
            uploads.append((shown, cast(BinaryIO, LazyFile(path))))
    return uploads


def _files(path: Path) -> Iterator[Tuple[Path, str]]:
    """Yield the files of a folder with their path below it, or the file itself."""
    if not path.is_dir():
        yield path, path.name
        return
    top = path.resolve()
    inside = sorted(one for one in top.rglob("*") if one.is_file())
    if not inside:
        raise UsageError(f"{path} has no files.")
    for one in inside:
        yield one, f"{top.name}/{one.relative_to(top).as_posix()}"
