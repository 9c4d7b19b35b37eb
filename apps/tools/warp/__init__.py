"""Plugin of warp, a load of S3: benchlab imports its results and does not run it."""

from __future__ import annotations

from apps.tools.import_only import ImportOnlyTool

from .parser.output import OPERATIONS, parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL"]

TOOL = ImportOnlyTool(
    name="warp",
    label="warp",
    parser_version=1,
    detector=detect,
    line_owner=owns_line,
    parser=parse_output,
    operations=OPERATIONS,
    roles={"object_size": "block", "concurrency": "jobs"},
    refusal="Results of warp can be read; benchlab does not run it, as it empties its bucket.",
)
