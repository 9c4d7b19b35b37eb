"""Parse iperf's output in any format."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.parse_result import Output, Parsed
from apps.tools.text import MAX_OUTPUT, RECOGNITION_BYTES, TOO_LARGE, as_text
from apps.tools.translation import gettext_noop

from .csv import is_csv_line, parse_csv
from .documents import START
from .ends import joined_ends
from .errors import CONNECT_TIMEOUT, ENDED_SERVER, explained, explains
from .json import parse_json
from .results import with_commands
from .sections import IperfLines
from .text import parse_text
from .totals import EndResult, Result, measurements

# Exit code of a client killed by timeout(1): 128 + SIGKILL.
KILLED = 137
_REFUSED = re.compile(r"Attempt to set .{1,40} congestion control failed")


def parse_output(output: Output) -> Parsed:
    """Parse an attempt's files of both ends, or an import's "stdout".

    Raises: ToolError or OutputError.
    """
    server, client = _both_ends(output)
    result = joined_ends(client, server) if server else client
    differences = _differences(result, output)
    tests = [_as_partial(test) if differences else test for test in result.tests]
    return Parsed(
        "iperf",
        result.format,
        result.version,
        tuple(each for call, test in enumerate(tests, 1) for each in measurements(test, call)),
        (*result.warnings, *differences),
        "partial" if differences else result.completeness,
    )


def _as_partial(test: Result) -> Result:
    return replace(test, completeness="partial")


def _both_ends(output: Output) -> tuple[EndResult | None, EndResult]:
    """Return the counts of the server, if there is one, and of the client.

    If one end fails the other one fails too, and either may report it first. The error of the end
    with a cause is raised; if both have one, the server's. A server that did not start means that
    another program answered the client.

    Raises: ToolError or OutputError.
    """
    server, refusal = _server(output)
    try:
        client = _end(output.roles.get("main") or output.files.get("stdout", b""), output, "stderr")
    except OutputError:
        if refusal is None:
            raise
    except ToolError as error:
        if refusal is None or (explains(str(error)) and not explains(str(refusal))):
            raise ToolError(explained(_error_text(error))) from error
    if refusal is not None:
        raise ToolError(f"Server: {explained(_error_text(refusal))}") from refusal
    return server, client


def _server(output: Output) -> tuple[EndResult | None, ToolError | None]:
    """Return the counts of a host pair's server, or its error.

    Neither for a single end, or if no client connected.
    """
    if "server.stdout" not in output.files:
        return None, None
    try:
        return _end(output.files["server.stdout"], output, "server.stderr"), None
    except OutputError:
        return None, None
    except ToolError as error:
        return None, None if ENDED_SERVER.search(str(error)) else error


def _end(data: bytes, output: Output, stderr: str) -> EndResult:
    """Parse one end's output.

    Raises: ToolError or OutputError.
    """
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    error_text = as_text(output.files.get(stderr, b"")[-4_096:]).strip()
    try:
        return parse_bytes(data)
    except OutputError as error:
        if error_text:
            raise ToolError(error_text[-300:]) from error
        if output.exit_code == KILLED:
            raise CONNECT_TIMEOUT from error
        raise


def _error_text(error: ToolError) -> str:
    """Return an error's text without benchlab's prefix."""
    return str(error).removeprefix("iperf said: ").removeprefix("iperf3 said: ")


def _differences(result: EndResult, output: Output) -> list[str]:
    """Return reasons why the measured test differs from the requested one."""
    differences: list[str] = []
    if output.exit_code:
        differences.append(message("iperf ended with exit code %(code)d.", code=output.exit_code))
    if "program" not in output.params:
        return differences
    differences += _refused_options(output)
    flows = result.tests[-1].flows
    requested = output.params.get("direction")
    both_directions = ("forward", "reverse")
    for direction in both_directions if requested == "bidirectional" else (requested,):
        if all(flow.direction != direction for flow in flows):
            differences.append(
                message(
                    "Nothing was counted in the direction %(direction)s.", direction=str(direction)
                )
            )
    streams, requested_streams = {len(flow.streams) for flow in flows}, output.params.get("streams")
    if streams - {requested_streams}:
        template = gettext_noop("%(number)d of %(asked)s streams were counted.")
        differences.append(message(template, number=min(streams), asked=str(requested_streams)))
    return differences


def _refused_options(output: Output) -> list[str]:
    """Return errors of iperf 2 about the congestion algorithm.

    iperf 2 continues with the host's default.
    """
    stderr = b"\n".join(output.files.get(name, b"") for name in ("stderr", "server.stderr"))
    return [line.strip()[:300] for line in as_text(stderr).split("\n") if _REFUSED.search(line)]


def parse_bytes(data: bytes) -> EndResult:
    """Parse these bytes in their format.

    Raises: ToolError or OutputError.
    """
    if not data.strip():
        raise OutputError("iperf left nothing.")
    text = as_text(data)
    if START.search(text):
        return parse_json(text)
    if any(is_csv_line(line[:500]) for line in text[:RECOGNITION_BYTES].split("\n")):
        return _csv_and_text(text)
    return parse_text(text)


def _csv_and_text(text: str) -> EndResult:
    """Parse rows of CSV, and text of other calls as separate tests."""
    rows: list[tuple[int, str]] = []
    others: list[str] = []
    for number, line in enumerate(text.split("\n")[:-1], 1):
        is_csv = is_csv_line(line[:500])
        if is_csv:
            rows.append((number, line))
        others.append("\n" if is_csv else line + "\n")
    csv = parse_csv(rows)
    parsed_lines = IperfLines()
    parsed_lines.read("".join(others))
    csv = replace(csv, tests=with_commands(csv.tests, parsed_lines.commands))
    try:
        text_result = parse_text("".join(others))
    except (OutputError, ToolError):
        return csv
    tests = sorted([*text_result.tests, *csv.tests], key=lambda test: test.lines or (0, 0))
    return replace(csv, version=text_result.version, tests=tests, warnings=text_result.warnings)
