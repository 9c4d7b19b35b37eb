"""One result's bytes -> what a tool's room understands of them, as rows and JSON can hold it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.common.schemas.storable import cleaned
from apps.imports.domain.around import SentText, around_calls
from apps.imports.domain.described import MOST_WARNINGS, UNFITTING, Described, described
from apps.imports.schemas.points import FoundPoint
from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import error_message
from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import TOOLS, parse_output, recognise
from apps.tools.text import MAX_OUTPUT, is_blank
from apps.tools.translation import gettext_noop
from apps.tools.values import Parameters
from apps.tools.workloads.job_options import tests_of
from apps.tools.workloads.points import Point

log = logging.getLogger(__name__)
MOST_POINTS = 2_000
FAILED = gettext_noop("benchlab failed to read this file; the log says why.")
LONGEST_VERSION = 40


@dataclass(frozen=True)
class ParseResult:
    """The reading of one result. Without `parsed`, `refusal` says why there is none. `said`: the
    parameters that names of folders tell. `found`: the points as a preview shows them;
    `unfitting`: the options that a person entered fit none of them.
    """

    tool: str = ""
    refusal: str = ""
    parsed: Parsed | None = None
    points: list[Point] = field(default_factory=list)
    said: Parameters = field(default_factory=dict)
    found: tuple[FoundPoint, ...] = ()
    unfitting: bool = False

    @property
    def warnings(self) -> list[str]:
        """The remarks about the file as a whole, storable."""
        found = self.parsed.warnings if self.parsed else ()
        if self.unfitting:
            found = (_(UNFITTING), *found)
        return [cleaned(text) for text in found[:MOST_WARNINGS]]

    @property
    def version(self) -> str:
        """The tool's version, "" where the output does not say."""
        return str(cleaned(self.parsed.version or ""))[:LONGEST_VERSION] if self.parsed else ""


def read_result(
    files: Mapping[str, bytes],
    *,
    tool: str = "",
    said: Parameters | None = None,
    names: bool = True,
    as_run: str = "",
    large: Mapping[str, Iterable[bytes]] | None = None,
    sent: SentText | None = None,
    commands: bool = True,
) -> ParseResult:
    """Read the files of one result; "stdout" is the main one. `tool`: the room that is known to be
    meant, else the content tells. `said`, `names`: see `points_of`. `as_run`: options as they were
    run, in the tool's own words. `large`: as in `Output`. `sent`: the text that is searched for
    headings and, with `commands`, for commands. Never raises for what a file holds.
    """
    data = next(iter(files.values()), b"")
    name = tool
    try:
        if not large:
            _check_size(files)
        name = tool or _recognised(data)
        parsed = parse_output(name, Output({"stderr": b"", **files}, large=large or {}))
        around = around_calls(sent, parsed, commands=commands) if sent else {}
        tests = tests_of(name, as_run)
        all_said = said or {}
        return _read(
            parsed, all_said, described(parsed, all_said, tests=tests, around=around, names=names)
        )
    except (OutputError, ToolError) as error:
        return ParseResult(name, refusal=cleaned(error_message(error)))
    except MemoryError:
        return ParseResult(name, refusal=_("Reading it takes more memory than benchlab gives it."))
    except Exception:
        # A defect of ours must not take the other files with it.
        log.exception("reading an imported file failed")
        return ParseResult(name, refusal=_(FAILED))


def _check_size(files: Mapping[str, bytes]) -> None:
    if all(map(is_blank, files.values())):
        raise OutputError(_("The file is empty."))
    if max(map(len, files.values())) > MAX_OUTPUT:
        text = _("The file is larger than %(most)d MiB.")
        raise OutputError(text % {"most": MAX_OUTPUT // 1024**2})


def _recognised(data: bytes) -> str:
    room = recognise(data)
    if room is None:
        text = _("No tool recognises it; known are %(tools)s.")
        raise OutputError(text % {"tools": ", ".join(room.label for room in TOOLS.values())})
    return room.name


def _read(parsed: Parsed, said: Parameters, found: Described) -> ParseResult:
    if not found.points:
        raise OutputError(_("There are no figures in it."))
    if len(found.points) > MOST_POINTS:
        text = _("It has %(points)d results; at most %(most)d of one file are taken.")
        raise OutputError(text % {"points": len(found.points), "most": MOST_POINTS})
    return ParseResult(
        parsed.tool,
        parsed=parsed,
        points=found.points,
        said=said,
        found=found.found,
        unfitting=found.is_unfitting,
    )
