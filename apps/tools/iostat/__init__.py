"""Plugin of iostat: imports foreign recordings.

benchlab itself samples the kernel's counters (`apps.tools.devices.blockstat`) and does not run
iostat.
"""

from __future__ import annotations

from apps.tools.import_only import ImportOnlyTool

from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL"]

TOOL = ImportOnlyTool(
    name="iostat",
    label="iostat",
    parser_version=2,
    detector=detect,
    line_owner=owns_line,
    parser=parse_output,
    programs={"iostat": "sysstat"},
    is_monitor=True,
    refusal="Results of iostat can be read; benchlab watches the devices itself.",
)
