"""Definition of a typed setting: its name, labels and range."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from apps.tuning.schemas.settings import QUEUE, SettingKindName


@dataclass(frozen=True)
class SettingDefinition:
    """Definition of a setting: with `choices` one of them, else a whole number of `unit`.

    `words`: several words separated by commas.
    """

    name: str
    label: str | Promise
    help: str | Promise
    unit: str | Promise = ""
    choices: tuple[tuple[str, str | Promise], ...] = ()
    minimum: int = 0
    maximum: int = 0
    kind: SettingKindName = QUEUE
    words: bool = False
