"""The rados room: everything benchlab knows about `rados bench`. It reads results, and refuses a
ceph.conf with a sentence that says where it belongs; it runs nothing, as a plan cannot name a Ceph
pool.
"""

from __future__ import annotations

from apps.tools.imported import ImportedTool

from .parser.output import parse_output, recognises

__all__ = ["TOOL"]

TOOL = ImportedTool(
    name="rados",
    label="rados bench",
    parser_version=1,
    recogniser=recognises,
    parser=parse_output,
    refusal="Results of rados bench can be read; plans cannot name a Ceph pool.",
)
