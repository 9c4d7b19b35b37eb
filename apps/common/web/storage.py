"""Static files with a hash in their names, ES modules' imports rewritten too."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage; pages' modules import each other, so their imports get hashed names as
    well.
    """

    support_js_module_import_aggregation = True
    manifest_strict = False
