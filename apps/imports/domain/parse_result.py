"""Parse the files of one result into storable values."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from apps.common.schemas.storable import cleaned
from apps.imports.domain.around import SentText, around_calls
from apps.imports.domain.described import MAX_WARNINGS, UNFITTING, Described, described
from apps.imports.schemas.points import PreviewPoint
from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import error_message, message
from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import TOOLS, parse_output, recognise
from apps.tools.text import MAX_OUTPUT, is_blank
from apps.tools.translation import gettext_noop
from apps.tools.values import Parameters
from apps.tools.workloads.job_options import tests_of
from apps.tools.workloads.points import Point

log = logging.getLogger(__name__)
MAX_POINTS = 2_000
FAILED = gettext_noop("benchlab failed to read this file; the log has the cause.")
MAX_VERSION_LENGTH = 40


@dataclass(frozen=True)
class ParseResult:
    """Parsed result; without `parsed`, `parse_error` is the reason.

    `path_params`: parameters named by folders. `found`: points of the preview; `unfitting`: the
    options entered by a user match none of them.
    """

    tool: str = ""
    parse_error: str = ""
    parsed: Parsed | None = None
    points: list[Point] = field(default_factory=list)
    path_params: Parameters = field(default_factory=dict)
    preview_points: tuple[PreviewPoint, ...] = ()
    unfitting: bool = False

    @property
    def warnings(self) -> list[str]:
        """Return the storable remarks about the whole file."""
        warnings = self.parsed.warnings if self.parsed else ()
        if self.unfitting:
            warnings = (message(UNFITTING), *warnings)
        return [cleaned(text) for text in warnings[:MAX_WARNINGS]]

    @property
    def version(self) -> str:
        """Return the tool's version; "" if unknown."""
        return str(cleaned(self.parsed.version or ""))[:MAX_VERSION_LENGTH] if self.parsed else ""


def read_result(
    files: Mapping[str, bytes],
    *,
    tool: str = "",
    path_params: Parameters | None = None,
    names: bool = True,
    job_options: str = "",
    large: Mapping[str, Iterable[bytes]] | None = None,
    sent: SentText | None = None,
    commands: bool = True,
) -> ParseResult:
    """Parse the files of one result; "stdout" is the main one.

    `tool`: the plugin, else detected. `path_params`, `names`: as in `points_of`. `job_options`:
    options in the tool's own syntax. `large`: as in `Output`. `sent`: the text that is searched for
    headings and, with `commands`, for commands. Never raises because of a file's content.
    """
    data = next(iter(files.values()), b"")
    name = tool
    try:
        if not large:
            _check_size(files)
        name = tool or _recognised(data)
        parsed = parse_output(name, Output({"stderr": b"", **files}, large=large or {}))
        around = around_calls(sent, parsed, commands=commands) if sent else {}
        tests = tests_of(name, job_options)
        all_params = path_params or {}
        return _read(
            parsed,
            all_params,
            described(parsed, all_params, tests=tests, around=around, names=names),
        )
    except (OutputError, ToolError) as error:
        return ParseResult(name, parse_error=cleaned(error_message(error)))
    except MemoryError:
        return ParseResult(
            name, parse_error=message("Reading it takes more memory than benchlab gives it.")
        )
    except Exception:
        # A defect of benchlab must not stop the other files.
        log.exception("reading an imported file failed")
        return ParseResult(name, parse_error=message(FAILED))


def _check_size(files: Mapping[str, bytes]) -> None:
    if all(map(is_blank, files.values())):
        raise OutputError(message("The file is empty."))
    if max(map(len, files.values())) > MAX_OUTPUT:
        text = message("The file is larger than %(most)d MiB.", most=MAX_OUTPUT // 1024**2)
        raise OutputError(text)


def _recognised(data: bytes) -> str:
    plugin = recognise(data)
    if plugin is None:
        labels = ", ".join(plugin.label for plugin in TOOLS.values())
        raise OutputError(message("No tool recognises it; known are %(tools)s.", tools=labels))
    return plugin.name


def _read(parsed: Parsed, path_params: Parameters, result: Described) -> ParseResult:
    if not result.points:
        raise OutputError(message("There are no figures in it."))
    if len(result.points) > MAX_POINTS:
        text = message(
            "It has %(points)d results; at most %(most)d of one file are taken.",
            points=len(result.points),
            most=MAX_POINTS,
        )
        raise OutputError(text)
    return ParseResult(
        parsed.tool,
        parsed=parsed,
        points=result.points,
        path_params=path_params,
        preview_points=result.preview_points,
        unfitting=result.is_unfitting,
    )
