"""Plugin of IOMeter, a Windows tool: benchlab imports its results and does not run it."""

from __future__ import annotations

from apps.tools.import_only import ImportOnlyTool

from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL"]

TOOL = ImportOnlyTool(
    name="iometer",
    label="IOMeter",
    parser_version=1,
    detector=detect,
    line_owner=owns_line,
    parser=parse_output,
    roles={"queue_depth": "depth", "workers": "jobs", "bs": "block"},
    refusal="Results of IOMeter can be read; it runs on Windows.",
)
