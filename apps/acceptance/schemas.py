"""Profile of an acceptance, what is known of a disk, and the findings of its rules."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from apps.common.schemas.versioned_json import VersionedSchema
from apps.tools.messages import TranslatableMessage, as_message

Coverage = Literal["full", "sample"]
FULL: Coverage = "full"
SAMPLE: Coverage = "sample"
Outcome = Literal["passed", "failed", "unknown"]
PASSED: Outcome = "passed"
FAILED: Outcome = "failed"
UNKNOWN: Outcome = "unknown"


NO_DETAIL = as_message("")


class AcceptanceProfile(msgspec.Struct, frozen=True):
    """What is done to each disk, and its limits.

    `coverage`: the whole disk, or 1 % of it at 100 offsets. `seconds` of each test, done
    `repeats` times. `outlier_percent`: a disk is slow if it is an outlier and so far below the
    median of its siblings. `model_percent`: so far below the maker's figure is still accepted.
    """

    coverage: Coverage = FULL
    discard: bool = False
    repeats: Annotated[int, Meta(ge=1, le=20)] = 6
    seconds: Annotated[int, Meta(ge=1, le=3600)] = 60
    outlier_percent: Annotated[float, Meta(ge=1, le=95)] = 10.0
    model_percent: Annotated[float, Meta(ge=0, le=95)] = 10.0
    max_degrees: Annotated[int, Meta(ge=20, le=120)] = 70
    max_hours: Annotated[int, Meta(ge=0, le=100_000)] = 100
    full_link: bool = True


class Reading(msgspec.Struct, frozen=True):
    """What a disk reports of itself at one time; None: not reported. `link_*` as in its facts."""

    firmware: str = ""
    hours: int | None = None
    written: int | None = None
    used: int | None = None
    media_errors: int | None = None
    degrees: int | None = None
    smart_passed: bool | None = None
    link_rate: int | None = None
    link_max_rate: int | None = None
    link_unit: str = ""


class Finding(msgspec.Struct, frozen=True):
    """Result of one rule for one disk.

    `rule`: a key of `domain.rules.RULES`; `subject`: which of several ("randread"). `value`,
    `limit`: in the unit of the rule. `detail`: text of a tool or of the disk.
    """

    rule: str
    outcome: Outcome
    subject: str = ""
    value: float | None = None
    limit: float | None = None
    detail: TranslatableMessage = NO_DETAIL


PROFILE: VersionedSchema[AcceptanceProfile] = VersionedSchema(AcceptanceProfile)
READING: VersionedSchema[Reading] = VersionedSchema(Reading)
FINDINGS: VersionedSchema[list[Finding]] = VersionedSchema(list[Finding])
