"""Plugin of vdbench: benchlab imports its results and does not run it."""

from __future__ import annotations

from apps.tools.import_only import ImportOnlyTool

from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL"]

TOOL = ImportOnlyTool(
    name="vdbench",
    label="vdbench",
    parser_version=1,
    detector=detect,
    line_owner=owns_line,
    parser=parse_output,
    operations=("read", "write", "mixed"),
    roles={"bs": "block", "threads": "jobs"},
    refusal="Results of vdbench can be read; benchlab does not run it.",
)
