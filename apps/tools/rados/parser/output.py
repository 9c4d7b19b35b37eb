"""An imported file -> the right format's parser."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.param_values import format_size
from apps.tools.parse_result import Completeness, Measurement, Output, Parsed
from apps.tools.pools.answers import client_version, cluster, complaints
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text, count
from apps.tools.values import Parameters, Values
from apps.tools.words import gettext_noop

from .json import START, read_json
from .measure import measurement
from .run import RadosRun
from .text import ANNOUNCED, HEADING, read_text

_LOOKS = 1024**2
_SUMMARY = re.compile(r"^[ \t|]*Total (?:writes|reads) made", re.MULTILINE)
_SECTION = re.compile(r"^[ \t]*\[(?:global|osd|mon|mds|mgr|client)[^\]\n]{0,60}\]", re.MULTILINE)
_SETTING = re.compile(
    r"^[ \t]*(?:auth[ _](?:cluster|service|client)|osd|filestore|bluestore|journal|objecter|mon)"
    r"[ _][a-z_ ]{1,60}=",
    re.MULTILINE,
)
_FAILED = re.compile(r"^(?:error[ :][^\n]{1,300}|Must write data before[^\n]{1,100})", re.MULTILINE)
UNFINISHED = "The test ended before it came to its other operations."
CONFIGURATION = (
    "This is a ceph.conf: settings, not a result. Its options belong into a tuning profile."
)


def recognises(data: bytes) -> bool:
    """Whether the bytes are rados's, or a ceph.conf."""
    head = as_text(data[:_LOOKS])
    marks = (_SUMMARY, HEADING, ANNOUNCED, START)
    return any(mark.search(head) for mark in marks) or _is_configuration(head)


def _is_configuration(head: str) -> bool:
    return bool(_SECTION.search(head) and _SETTING.search(head))


def parse_output(output: Output) -> Parsed:
    """Read an attempt's files, or an import's "stdout". Raises ToolError or OutputError."""
    data = output.files.get("stdout", b"")
    if not data.strip():
        raise _silent(output)
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    head = as_text(data[:_LOOKS])
    as_json = bool(START.search(head))
    runs = read_json(data) if as_json else read_text(data)
    found = [(run, each) for run in runs if (each := measurement(run)) is not None]
    if not found:
        raise _nothing(head, output)
    facts = cluster(output.files)
    measured = [
        _with(facts, replace(each, call=number), output.params)
        for number, (_, each) in enumerate(found, 1)
    ]
    last = found[-1][0]
    return Parsed(
        tool="rados",
        format="json" if as_json else "text",
        version=client_version(head),
        measurements=tuple(measured),
        warnings=(*complaints(output.files), *_remarks(output, last)),
        completeness=_completeness(measured, last),
    )


def _with(facts: Values, found: Measurement, asked: Parameters) -> Measurement:
    """A result of benchlab's own test, which knows its cluster and what was asked for."""
    if facts:
        found = replace(found, values=found.values | {"ceph": facts})
    if asked:
        found = replace(found, warnings=tuple(_named(found, text) for text in found.warnings))
    wanted, used = count(asked.get("bs")), count(found.params.get("bs"))
    if found.operation != "write" or not wanted or used in (0, wanted):
        return found
    rounded = message(
        "rados rounded the block size from %(asked)s to %(used)s, the pool's stripe.",
        asked=format_size(wanted),
        used=format_size(used),
    )
    return replace(found, warnings=(*found.warnings, rounded))


def _named(found: Measurement, text: str) -> str:
    """A remark on one of a test's operations. Most sentences name it."""
    return f"{found.operation}: {text}" if text.startswith("Nothing was finished") else text


def _remarks(output: Output, last: RadosRun) -> list[str]:
    """Remarks about a test of benchlab's as a whole."""
    said: list[str] = []
    left = len(output.roles.get("left", b"").split())
    if left:
        words = gettext_noop(
            "%(left)d objects of this test could not be removed and are still in the pool."
        )
        said.append(message(words, left=left))
    if _unfinished(last):
        said.append(UNFINISHED)
    return said


def _unfinished(last: RadosRun) -> bool:
    """Whether the last operation announced ("2/3") was not the last one there was to be."""
    return last.place is not None and last.place[0] < last.place[1]


def _completeness(found: list[Measurement], last: RadosRun) -> Completeness:
    states = {each.completeness for each in found}
    if "partial" in states or _unfinished(last):
        return "partial"
    return "unknown" if "unknown" in states else "whole"


def _silent(output: Output) -> Exception:
    said = _complaint(output)
    return ToolError(f"rados said: {said}") if said else OutputError("rados left no output.")


def _complaint(output: Output) -> str:
    said = output.files.get("stderr", b"")[-4096:].decode("utf-8", "replace").strip()
    return said.splitlines()[-1].strip()[:300] if said else ""


def _nothing(head: str, output: Output) -> Exception:
    if _is_configuration(head):
        return OutputError(CONFIGURATION)
    failed = _FAILED.search(head)
    said = failed[0].strip() if failed else _complaint(output)
    if said:
        return ToolError(f"rados said: {said}")
    return OutputError("There is no result of rados bench in this file.")
