"""Parser of an attempt's files: selects the format and applies the exit code."""

from __future__ import annotations

import dataclasses

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio.command import RESULT
from apps.tools.messages import message
from apps.tools.parse_result import Output, Parsed
from apps.tools.pools.cluster_facts import cluster, complaints
from apps.tools.text import MAX_OUTPUT, RECOGNITION_BYTES, TOO_LARGE, clean, is_blank

from .corruption import corruption
from .documents.result import parse_json
from .logs.reading import logs_among, read_logs, unnamed
from .logs.with_result import logs_alone, with_logs
from .mixed import parse_terse_and_text
from .normal.text import parse_text
from .plausibility import with_doubts
from .recognition import JSON_START
from .terse.job_lines import LINE


def parse_output(output: Output) -> Parsed:
    """Parse the result file of a run or an import's "stdout", with logs, or logs alone.

    Logs are files named as fio names them. Raises: ToolError or OutputError.
    """
    # If the test has other commands, use only fio's own output.
    data = output.files.get(RESULT) or output.roles.get("main", output.files.get("stdout", b""))
    stderr = output.files.get("stderr", b"")
    logs = read_logs(logs_among(output.files, output.large))
    if logs and is_blank(data):
        return logs_alone(logs)
    if is_blank(data):
        raise _no_output(stderr, output.exit_code)
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    parsed = with_doubts(parse_bytes(data, output))
    parsed = with_logs(parsed, logs) if logs else parsed
    parsed = _with_cluster_facts(
        dataclasses.replace(parsed, data_corruption=corruption(stderr)), output
    )
    return _ended_with(parsed, output.exit_code, stderr) if output.exit_code else parsed


def _ended_with(parsed: Parsed, code: int, stderr: bytes) -> Parsed:
    """Return the result of a failed fio: all its measurements are partial."""
    warning = message("fio ended with exit code %(code)d.", code=code)
    line = _last_line(stderr)
    return dataclasses.replace(
        parsed,
        measurements=tuple(
            dataclasses.replace(each, completeness="partial") for each in parsed.measurements
        ),
        completeness="partial",
        warnings=(*parsed.warnings, warning, *((line,) if line else ())),
    )


def _with_cluster_facts(parsed: Parsed, output: Output) -> Parsed:
    """Return the result with the Ceph cluster's facts and complaints, if recorded."""
    facts = cluster(output.files)
    if not facts:
        return parsed
    measurements = [
        dataclasses.replace(m, values=m.values | {"ceph": facts}) for m in parsed.measurements
    ]
    warnings = (*parsed.warnings, *complaints(output.files))
    return dataclasses.replace(parsed, measurements=tuple(measurements), warnings=warnings)


def parse_bytes(data: bytes, output: Output) -> Parsed:
    """Parse the bytes in their format."""
    head = clean(data[:RECOGNITION_BYTES])
    if JSON_START.search(head):
        return parse_json(data, output.params)
    if LINE.search(head.decode("utf-8", "replace")):
        return parse_terse_and_text(data)
    if logs := unnamed(data):
        return logs_alone(logs)
    return parse_text(data)


def _no_output(stderr: bytes, exit_code: int | None) -> Exception:
    line = _last_line(stderr)
    if line:
        return ToolError(message("fio reported: %(words)s", words=line))
    if exit_code:
        return ToolError(
            message("fio ended with exit code %(code)d and no message.", code=exit_code)
        )
    return OutputError("fio left no output.")


def _last_line(stderr: bytes) -> str:
    lines = stderr[-4096:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:300] if lines else ""
