"""The iperf room: results of iperf 2 and iperf3, read and not run."""

from __future__ import annotations

from apps.tools.imported import ImportedTool

from .parser.output import parse_output, recognises

__all__ = ["TOOL"]

TOOL = ImportedTool(
    name="iperf",
    label="iperf",
    parser_version=1,
    recogniser=recognises,
    parser=parse_output,
    refusal="Results of iperf can be read; plans cannot run it.",
)
