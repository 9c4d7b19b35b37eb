"""Answers as a frozen report keeps them: the answer's own type, with a version."""

from __future__ import annotations

from apps.analysis.result import AnalysisResult
from apps.common.schemas.versioned_json import VersionedSchema

STORED: VersionedSchema[AnalysisResult] = VersionedSchema(AnalysisResult)
