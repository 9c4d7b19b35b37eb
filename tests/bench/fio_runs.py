"""fio as benchlab's own fio plugin asks for it, and the same test as a person would type it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import tool
from apps.tools.targets import ToolTarget
from tests.bench.figure import CannotMeasure

# Options that benchlab adds to a test to watch it and to read its result.
WATCHING = (
    "--clat_percentiles=",
    "--lat_percentiles=",
    "--slat_percentiles=",
    "--percentile_list=",
    "--output-format=",
    "--output=",
    "--status-interval=",
    "--eta=",
)
RESULT = "result.json"
SECONDS_AT_MOST = 60.0


def room_argv(raw: Mapping[str, Any], target: ToolTarget) -> list[str]:
    """The one command that the fio plugin makes of these parameters; `{target}` still in it."""
    plugin = tool("fio")
    assert plugin.params is not None
    procedure = plugin.build_procedure(plugin.params.from_raw(raw), target)
    (command,) = procedure.commands
    return list(command.argv)


def bare(argv: Sequence[str], place: str) -> list[str]:
    """The same test without anything that benchlab adds for itself; the result by fio's names."""
    kept = [word for word in argv if not word.startswith(WATCHING)]
    return [*(word.replace("{target}", place) for word in kept), "--output-format=json"]


def run(argv: Sequence[str]) -> bytes:
    """The command's stdout. Raises CannotMeasure with what it said when it failed."""
    done = subprocess.run(
        argv,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS_AT_MOST,
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()[-300:]
        raise CannotMeasure(f"{argv[0]} ended with exit code {done.returncode}: {said}")
    return done.stdout


def parsed(data: bytes) -> Parsed:
    """fio's result, read by benchlab's own parser."""
    return tool("fio").parse(Output({"stdout": data}, 0))


FioDocument = dict[str, Any]
"""A document of fio's, by fio's names."""


def last_document(data: bytes) -> FioDocument:
    """The last of fio's documents (with --status-interval there are several)."""
    begin = max(data.rfind(b"\n{\n") + 1, 0)
    document: FioDocument = json.loads(data[data.index(b"{", begin) :])
    return document


def job_options(data: bytes) -> list[dict[str, str]]:
    """Each job's options as fio itself understood them, without those that only watch."""
    watching = {word.strip("-=") for word in WATCHING}
    document = last_document(data)
    shared = document.get("global options", {})
    return [
        {
            name: value
            for name, value in {**shared, **job.get("job options", {})}.items()
            if name not in watching
        }
        for job in document["jobs"]
    ]
