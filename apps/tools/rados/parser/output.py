"""An imported file -> the right format's parser."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.tools.base import (
    Completeness,
    Measurement,
    Output,
    OutputError,
    Parsed,
    ToolError,
)
from apps.tools.params import format_size
from apps.tools.pools.answers import client_version, cluster, complaints
from apps.tools.sentences import sentence
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text
from apps.tools.values import Values
from apps.tools.words import gettext_noop

from .json import START, read_json
from .measure import UNKNOWN, measurement
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

Found = tuple[RadosRun, tuple[Measurement, list[str]]]


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
    said = [*_said(found), *complaints(output.files), *_remarks(output, found)]
    facts = cluster(output.files)
    return Parsed(
        tool="rados",
        format="json" if as_json else "text",
        version=client_version(head),
        measurements=tuple(_with(facts, each) for _, (each, _) in found),
        warnings=tuple(dict.fromkeys(said)),
        completeness=_completeness([run for run, _ in found], UNKNOWN in said),
    )


def _with(facts: Values, found: Measurement) -> Measurement:
    return replace(found, values=found.values | {"ceph": facts}) if facts else found


def _said(found: list[Found]) -> list[str]:
    """Remarks the runs themselves give cause for; with several operations, of which one."""
    if len(found) == 1:
        return found[0][1][1]
    return [
        f"{each.operation}: {s}" if _is_own(s) else s for _, (each, said) in found for s in said
    ]


def _is_own(sentence: str) -> bool:
    """Whether a sentence is about one operation and does not name it."""
    return sentence.startswith("Nothing was finished")


def _remarks(output: Output, found: list[Found]) -> list[str]:
    """Remarks that only benchlab's own tests can make: it knows what it asked for."""
    said: list[str] = []
    asked = output.params.get("bs")
    for _, (each, _) in found:
        used = each.params.get("op_size")
        if each.operation == "write" and isinstance(asked, int) and used not in (None, asked):
            said.append(
                sentence(
                    "rados rounded the block size from %(asked)s to %(used)s, the pool's stripe.",
                    asked=format_size(asked),
                    used=format_size(int(used)),
                )
            )
    left = len(output.roles.get("left", b"").split())
    if left:
        words = gettext_noop(
            "%(left)d objects of this test could not be removed and are still in the pool."
        )
        said.append(sentence(words, left=left))
    if _unfinished([run for run, _ in found]):
        said.append(UNFINISHED)
    return said


def _unfinished(runs: list[RadosRun]) -> bool:
    """Whether the last operation announced ("2/3") was not the last one there was to be."""
    place = runs[-1].place
    return place is not None and place[0] < place[1]


def _completeness(runs: list[RadosRun], unknown: bool) -> Completeness:
    if any(not run.complete and not run.lost_end for run in runs) or _unfinished(runs):
        return "partial"
    return "unknown" if unknown else "whole"


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
