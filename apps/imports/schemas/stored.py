"""The stored documents of an import's files: what a preview shows of each point, what the names of
folders say, and which lines of a text are its own.
"""

from __future__ import annotations

from apps.common.schemas.versioned_json import VersionedSchema
from apps.imports.schemas.points import FoundPoint, PointProposal
from apps.tools.values import Scalar

Points = tuple[FoundPoint, ...]
Places = tuple[PointProposal, ...]
"""Those of the points, in their order; empty where nothing but the file decides."""
PathParams = dict[str, Scalar]
"""Parameters by name, canonical units."""
SuggestedNames = dict[str, str]
"""`host_name`, `target_name`, `tuning_name`: those of them that a path proposes."""
Lines = tuple[tuple[int, int], ...]
"""First and last number of each stretch of lines, from 1."""
POINTS: VersionedSchema[Points] = VersionedSchema(Points)
PLACES: VersionedSchema[Places] = VersionedSchema(Places)
PATH_PARAMS: VersionedSchema[PathParams] = VersionedSchema(PathParams)
SUGGESTED_NAMES: VersionedSchema[SuggestedNames] = VersionedSchema(SuggestedNames)
LINES: VersionedSchema[Lines] = VersionedSchema(Lines)
