"""Plugin of elbencho: benchlab imports its results and does not run it."""

from __future__ import annotations

from apps.tools.import_only import ImportOnlyTool

from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL"]

TOOL = ImportOnlyTool(
    name="elbencho",
    label="elbencho",
    parser_version=1,
    detector=detect,
    line_owner=owns_line,
    parser=parse_output,
    operations=("write", "read", "mkdirs", "mkbuckets", "stat", "rmfiles", "rmdirs", "rmbuckets"),
    roles={
        "bs": "block",
        "iodepth": "depth",
        "threads": "jobs",
        "hosts": "jobs",
        "file_size": "size",
    },
    refusal="Results of elbencho can be read; benchlab does not run it.",
)
