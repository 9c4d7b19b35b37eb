"""Versioned JSON schema of frozen results."""

from __future__ import annotations

from apps.analysis.result import AnalysisResult
from apps.common.schemas.versioned_json import VersionedSchema

FROZEN_RESULT_SCHEMA: VersionedSchema[AnalysisResult] = VersionedSchema(AnalysisResult)
