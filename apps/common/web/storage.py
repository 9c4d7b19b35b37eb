"""Static files with hashed names, including imports of ES modules."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage that also rewrites the imports of ES modules."""

    support_js_module_import_aggregation = True
    manifest_strict = False
