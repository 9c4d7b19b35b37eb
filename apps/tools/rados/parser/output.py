"""Parse an output of rados bench in any format."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.param_values import format_size
from apps.tools.parse_result import Completeness, Measurement, Output, Parsed
from apps.tools.pools.cluster_facts import client_version, cluster, complaints
from apps.tools.text import MAX_OUTPUT, RECOGNITION_BYTES, TOO_LARGE, as_text, count
from apps.tools.translation import gettext_noop
from apps.tools.values import Parameters, Values

from .json import START, read_json
from .measure import measurement
from .recognition import is_ceph_conf
from .run import RadosRun
from .text import read_text

_FAILED = re.compile(r"^(?:error[ :][^\n]{1,300}|Must write data before[^\n]{1,100})", re.MULTILINE)
UNFINISHED = "The test ended before it came to its other operations."
CONFIGURATION = (
    "This is a ceph.conf: settings, not a result. Its options belong into a tuning profile."
)


def parse_output(output: Output) -> Parsed:
    """Parse an attempt's files, or an import's "stdout".

    Raises: ToolError or OutputError.
    """
    data = output.files.get("stdout", b"")
    if not data.strip():
        raise _empty_output_error(output)
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    head = as_text(data[:RECOGNITION_BYTES])
    as_json = bool(START.search(head))
    runs = read_json(data) if as_json else read_text(data)
    results = [(run, each) for run in runs if (each := measurement(run)) is not None]
    if not results:
        raise _no_result_error(head, output)
    _require_planned_sizes(output.params, [each for _, each in results])
    facts = cluster(output.files)
    measured = [
        _with_context(facts, replace(each, call=number), output.params)
        for number, (_, each) in enumerate(results, 1)
    ]
    last = results[-1][0]
    return Parsed(
        tool="rados",
        format="json" if as_json else "text",
        version=client_version(head),
        measurements=tuple(measured),
        warnings=(*complaints(output.files), *_remarks(output, last)),
        completeness=_completeness(measured, last),
    )


def _require_planned_sizes(params: Parameters, results: list[Measurement]) -> None:
    """Refuse a read whose objects have another block size than the plan states.

    Raises: ToolError. Only objects of an earlier test can differ.
    """
    if str(params.get("operations", "write")).startswith("write"):
        return
    for result in results:
        planned, actual = count(params.get("bs")), count(result.params.get("bs"))
        if result.operation != "write" and planned and actual and planned != actual:
            raise ToolError(
                message(
                    "The stored objects have blocks of %(actual)s, the plan has %(planned)s: set "
                    "the block size of the step to that of the objects.",
                    actual=format_size(actual),
                    planned=format_size(planned),
                )
            )


def _with_context(facts: Values, result: Measurement, params: Parameters) -> Measurement:
    """Add the cluster's facts and a remark on a rounded block size to benchlab's own result."""
    if facts:
        result = replace(result, values=result.values | {"ceph": facts})
    if params:
        result = replace(
            result,
            warnings=tuple(_with_operation(result, text) for text in result.warnings),
        )
    requested, used = count(params.get("bs")), count(result.params.get("bs"))
    if result.operation != "write" or not requested or used in (0, requested):
        return result
    rounded = message(
        "rados rounded the block size from %(asked)s to %(used)s, the pool's stripe.",
        asked=format_size(requested),
        used=format_size(used),
    )
    return replace(result, warnings=(*result.warnings, rounded))


def _with_operation(result: Measurement, text: str) -> str:
    """Prefix a remark with its operation. Most remarks contain it."""
    return f"{result.operation}: {text}" if text.startswith("Nothing was finished") else text


def _remarks(output: Output, last: RadosRun) -> list[str]:
    """Return the remarks about a test of benchlab as a whole."""
    remarks: list[str] = []
    left = len(output.roles.get("left", b"").split())
    if left:
        template = gettext_noop(
            "%(left)d objects of this test could not be removed and are still in the pool."
        )
        remarks.append(message(template, left=left))
    if _unfinished(last):
        remarks.append(UNFINISHED)
    return remarks


def _unfinished(last: RadosRun) -> bool:
    """Return True if operations after the last announced one ("2/3") are missing."""
    return last.position is not None and last.position[0] < last.position[1]


def _completeness(measured: list[Measurement], last: RadosRun) -> Completeness:
    states = {each.completeness for each in measured}
    if "partial" in states or _unfinished(last):
        return "partial"
    return "unknown" if "unknown" in states else "whole"


def _empty_output_error(output: Output) -> Exception:
    error = _last_error(output)
    return ToolError(f"rados said: {error}") if error else OutputError("rados left no output.")


def _last_error(output: Output) -> str:
    error = output.files.get("stderr", b"")[-4096:].decode("utf-8", "replace").strip()
    return error.splitlines()[-1].strip()[:300] if error else ""


def _no_result_error(head: str, output: Output) -> Exception:
    if is_ceph_conf(head):
        return OutputError(CONFIGURATION)
    failed = _FAILED.search(head)
    error = failed[0].strip() if failed else _last_error(output)
    if error:
        return ToolError(f"rados said: {error}")
    return OutputError("There is no result of rados bench in this file.")
