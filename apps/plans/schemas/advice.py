"""Advice on a plan, and what a run stores of it."""

from __future__ import annotations

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema
from apps.tools.messages import TranslatableMessage
from apps.tools.values import RawValue


class Advice(msgspec.Struct, frozen=True):
    """A value of a plan that makes its measurements misleading.

    `step`: index from 0 of the step with the parameter `field`; None for a field of the plan.
    `value`: follows the advice; None unsets the parameter.
    """

    text: str
    reason: str
    step: int | None
    field: str
    value: RawValue | None

    @property
    def key(self) -> tuple[int | None, str]:
        return (self.step, self.field)


class AdviceNote(msgspec.Struct, frozen=True):
    """Advice that was not taken at the launch of a run."""

    text: TranslatableMessage
    reason: TranslatableMessage
    field: str
    step: int | None = None


AdviceNotes = tuple[AdviceNote, ...]
ADVICE_NOTES: VersionedSchema[AdviceNotes] = VersionedSchema(AdviceNotes)
