"""The rbd room: results of `rbd bench`, which measures an image through librbd. benchlab reads them
and does not run it: fio's engine on the mapped device or rados bench say more.
"""

from __future__ import annotations

from apps.tools.imported import ImportedTool

from .parser.claims import claims
from .parser.output import parse_output, recognises

__all__ = ["TOOL"]

TOOL = ImportedTool(
    name="rbd",
    label="rbd bench",
    parser_version=1,
    recogniser=recognises,
    claimer=claims,
    parser=parse_output,
    refusal="Results of rbd bench can be read; plans measure a pool with rados bench.",
    operations=("write", "read"),
    roles={"threads": "depth", "bs": "block", "size": "size"},
)
