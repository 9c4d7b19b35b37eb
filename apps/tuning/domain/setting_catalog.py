"""Catalogue of the typed settings."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tuning.domain.filesystem_settings import FILESYSTEM_SETTINGS
from apps.tuning.domain.host_settings import HOST_SETTINGS
from apps.tuning.domain.setting_definition import SettingDefinition

SETTINGS: Mapping[str, SettingDefinition] = {
    setting.name: setting for setting in (*HOST_SETTINGS, *FILESYSTEM_SETTINGS)
}
