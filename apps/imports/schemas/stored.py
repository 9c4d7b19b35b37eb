"""Stored documents of an import's files: points, suggestions, parameters and lines."""

from __future__ import annotations

from apps.common.schemas.versioned_json import VersionedSchema
from apps.imports.schemas.points import PointProposal, PreviewPoint
from apps.tools.values import Scalar

Points = tuple[PreviewPoint, ...]
Proposals = tuple[PointProposal, ...]
"""Suggestions of the points, in their order; empty if there are none."""
PathParams = dict[str, Scalar]
"""Parameters by name, canonical units."""
SuggestedNames = dict[str, str]
"""`host_name`, `target_name`, `tuning_name`, as far as a path suggests them."""
Lines = tuple[tuple[int, int], ...]
"""First and last number of each range of lines, from 1."""
POINTS: VersionedSchema[Points] = VersionedSchema(Points)
PROPOSALS: VersionedSchema[Proposals] = VersionedSchema(Proposals)
PATH_PARAMS: VersionedSchema[PathParams] = VersionedSchema(PathParams)
SUGGESTED_NAMES: VersionedSchema[SuggestedNames] = VersionedSchema(SuggestedNames)
LINES: VersionedSchema[Lines] = VersionedSchema(Lines)
