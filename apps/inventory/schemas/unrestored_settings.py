"""Settings that hosts could not restore, as stored."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from apps.common.schemas.versioned_json import VersionedSchema


class UnrestoredSetting(TypedDict):
    """An unrestored setting; every part as text, "" if unknown."""

    kind: str
    identity: str
    name: str
    original: str
    value: str
    found: str


class UnrestoredSettings(TypedDict):
    """Settings that a host could not restore after `attempt`, of `case` if known.

    `since`: seconds since 1970 UTC.
    """

    attempt: str
    since: float | None
    why: str
    settings: list[UnrestoredSetting]
    case: NotRequired[int | None]


UNRESTORED_SETTINGS: VersionedSchema[list[UnrestoredSettings]] = VersionedSchema(
    list[UnrestoredSettings]
)
