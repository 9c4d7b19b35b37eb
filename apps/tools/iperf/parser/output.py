"""iperf's output in any format -> measurements."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.parse_result import Output, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text
from apps.tools.words import gettext_noop

from . import marks
from .csv import HEADING, LINE, parse_csv
from .documents import START
from .ends import joined_ends
from .errors import SILENT_CONNECT, TOLD_TO_END, explained, explains
from .json import parse_json
from .results import with_commands
from .sections import IperfLines
from .text import parse_text
from .text_rows import row
from .totals import Found, Result, measurements

_LOOKS = 1024**2
_JSON_MARK = re.compile(r'"version"\s*:\s*"iperf |"intervals"\s*:\s*\[')
# A client that did not come through in its time was killed (128 + SIGKILL, as timeout(1) says it).
KILLED = 137
_REFUSED = re.compile(r"Attempt to set .{1,40} congestion control failed")
_SAID = re.compile(r"^iperf3?: ", re.MULTILINE)


def recognises(data: bytes) -> bool:
    """Whether these bytes look like iperf 2 or iperf3, in any format."""
    head = as_text(data[:_LOOKS])
    if START.search(head) and _JSON_MARK.search(head):
        return True
    if _SAID.search(head):
        return True
    return any(_looks(line[:1_000]) for line in head.split("\n"))


def _looks(line: str) -> bool:
    if _is_csv(line) or ("sec" in line and row(line, "")):
        return True
    return any(mark.search(line) for mark in marks.STARTS)


def parse_output(output: Output) -> Parsed:
    """Read an attempt's files of both ends, or an import's "stdout". Raises ToolError or
    OutputError.
    """
    server, client = _both_ends(output)
    found = joined_ends(client, server) if server else client
    doubts = _doubts(found, output)
    tests = [_doubted(test) if doubts else test for test in found.tests]
    return Parsed(
        "iperf",
        found.format,
        found.version,
        tuple(each for call, test in enumerate(tests, 1) for each in measurements(test, call)),
        (*found.warnings, *doubts),
        "partial" if doubts else found.completeness,
    )


def _doubted(test: Result) -> Result:
    return replace(test, completeness="partial")


def _both_ends(output: Output) -> tuple[Found | None, Found]:
    """The counts of the server, if there is one, and of the client. Raises ToolError or
    OutputError.

    When one end gives up the other one fails as well, for want of it, and either may be the first
    to say so: the error is that of the end which explains, and where both do the server's. A server
    that could not serve says that whoever answered the client was another one.
    """
    server, refusal = _server(output)
    try:
        client = _end(output.roles.get("main") or output.files.get("stdout", b""), output, "stderr")
    except OutputError:
        if refusal is None:
            raise
    except ToolError as error:
        if refusal is None or (explains(str(error)) and not explains(str(refusal))):
            raise ToolError(explained(_words(error))) from error
    if refusal is not None:
        raise ToolError(f"Server: {explained(_words(refusal))}") from refusal
    return server, client


def _server(output: Output) -> tuple[Found | None, ToolError | None]:
    """The counts of a pair's server, or why it could not serve; neither for a single end, or
    where nobody came.
    """
    if "server.stdout" not in output.files:
        return None, None
    try:
        return _end(output.files["server.stdout"], output, "server.stderr"), None
    except OutputError:
        return None, None
    except ToolError as error:
        return None, None if TOLD_TO_END.search(str(error)) else error


def _end(data: bytes, output: Output, stderr: str) -> Found:
    """One end's output. Raises ToolError or OutputError."""
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    said = as_text(output.files.get(stderr, b"")[-4_096:]).strip()
    try:
        return parse_bytes(data)
    except OutputError as error:
        if said:
            raise ToolError(said[-300:]) from error
        if output.exit_code == KILLED:
            raise SILENT_CONNECT from error
        raise


def _words(error: ToolError) -> str:
    """Without our own introduction."""
    return str(error).removeprefix("iperf said: ").removeprefix("iperf3 said: ")


def _doubts(found: Found, output: Output) -> list[str]:
    """Why what was measured is not what was asked for."""
    doubts: list[str] = []
    if output.exit_code:
        doubts.append(message("iperf ended with exit code %(code)d.", code=output.exit_code))
    if "program" not in output.params:
        return doubts
    doubts += _refused_options(output)
    flows = found.tests[-1].flows
    wanted = output.params.get("direction")
    both = ("forward", "reverse")
    for direction in both if wanted == "bidirectional" else (wanted,):
        if all(flow.direction != direction for flow in flows):
            doubts.append(
                message(
                    "Nothing was counted in the direction %(direction)s.", direction=str(direction)
                )
            )
    streams, asked = {len(flow.streams) for flow in flows}, output.params.get("streams")
    if streams - {asked}:
        words = gettext_noop("%(number)d of %(asked)s streams were counted.")
        doubts.append(message(words, number=min(streams), asked=str(asked)))
    return doubts


def _refused_options(output: Output) -> list[str]:
    """Iperf 2 goes on with the host's own algorithm when it does not get the one it asked for."""
    said = b"\n".join(output.files.get(name, b"") for name in ("stderr", "server.stderr"))
    return [line.strip()[:300] for line in as_text(said).split("\n") if _REFUSED.search(line)]


def parse_bytes(data: bytes) -> Found:
    """The format that these bytes are in. Raises ToolError or OutputError."""
    if not data.strip():
        raise OutputError("iperf left nothing.")
    text = as_text(data)
    if START.search(text):
        return parse_json(text)
    if any(_is_csv(line[:500]) for line in text[:_LOOKS].split("\n")):
        return _csv_and_text(text)
    return parse_text(text)


def _csv_and_text(text: str) -> Found:
    """Rows of CSV, and what was printed as text by other calls: tests of their own."""
    rows: list[tuple[int, str]] = []
    others: list[str] = []
    for number, line in enumerate(text.split("\n")[:-1], 1):
        is_csv = _is_csv(line[:500])
        if is_csv:
            rows.append((number, line))
        others.append("\n" if is_csv else line + "\n")
    csv = parse_csv(rows)
    reading = IperfLines()
    reading.read("".join(others))
    csv = replace(csv, tests=with_commands(csv.tests, reading.commands))
    try:
        told = parse_text("".join(others))
    except (OutputError, ToolError):
        return csv
    tests = sorted([*told.tests, *csv.tests], key=lambda test: test.lines or (0, 0))
    return replace(csv, version=told.version, tests=tests, warnings=told.warnings)


def _is_csv(line: str) -> bool:
    return bool(LINE.match(line) or HEADING.match(line))
