"""Values of contracts as the API says them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from apps.common.api.serializers import SchemaSerializerField
from apps.tools.messages import TranslatableMessage, message


@dataclass(frozen=True)
class Ended:
    """Stands for what an attempt stores of its end."""

    state: str
    reason: TranslatableMessage


def test_a_sentence_is_its_english_text() -> None:
    """An attempt that was cancelled or failed stores one: its case was a 500."""
    reason = message("cancelled by %(who)s", who="anna")
    shown = SchemaSerializerField().to_representation([Ended("cancelled", reason)])
    assert shown == [{"state": "cancelled", "reason": "cancelled by anna"}]
    assert type(shown[0]["reason"]) is str


def test_what_no_contract_has_is_an_error() -> None:
    with pytest.raises(NotImplementedError, match="object is no value of a schema"):
        SchemaSerializerField().to_representation([object()])
