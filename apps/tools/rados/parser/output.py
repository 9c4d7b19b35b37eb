"""An imported file -> the right format's parser."""

from __future__ import annotations

import re

from apps.tools.base import Completeness, Measurement, Output, OutputError, Parsed, ToolError
from apps.tools.text import MAX_OUTPUT, as_text

from .json import START, read_json
from .measure import UNKNOWN, measurement
from .run import Run
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
    """Read an import's "stdout". Raises ToolError or OutputError."""
    data = output.files.get("stdout", b"")
    if not data.strip():
        raise _silent(output)
    if len(data) > MAX_OUTPUT:
        raise OutputError(f"The output is larger than {MAX_OUTPUT // 1024**2} MiB.")
    head = as_text(data[:_LOOKS])
    as_json = bool(START.search(head))
    runs = read_json(data) if as_json else read_text(data)
    found = [(run, each) for run in runs if (each := measurement(run)) is not None]
    if not found:
        raise _nothing(head)
    parts = [part for _, part in found]
    return _parsed("json" if as_json else "text", [run for run, _ in found], parts)


def _parsed(form: str, runs: list[Run], found: list[tuple[Measurement, list[str]]]) -> Parsed:
    # rados prints no version of itself.
    warnings = dict.fromkeys(sentence for _, said in found for sentence in said)
    return Parsed(
        tool="rados",
        format=form,
        version=None,
        measurements=tuple(each for each, _ in found),
        warnings=tuple(warnings),
        completeness=_completeness(runs, UNKNOWN in warnings),
    )


def _completeness(runs: list[Run], unknown: bool) -> Completeness:
    if any(not run.complete and not run.lost_end for run in runs):
        return "partial"
    return "unknown" if unknown else "whole"


def _silent(output: Output) -> Exception:
    said = output.files.get("stderr", b"")[-4096:].decode("utf-8", "replace").strip()
    if said:
        return ToolError(f"rados said: {said.splitlines()[-1].strip()[:300]}")
    return OutputError("rados left no output.")


def _nothing(head: str) -> Exception:
    if _is_configuration(head):
        return OutputError(CONFIGURATION)
    failed = _FAILED.search(head)
    if failed:
        return ToolError(f"rados said: {failed[0].strip()}")
    return OutputError("There is no result of rados bench in this file.")
