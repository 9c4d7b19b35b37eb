"""A preparation in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.rest.serializers import StrictSerializer
from apps.plans.schemas.preconditioning import (
    MOST_AGE_ROUNDS,
    MOST_FILLS,
    MOST_ROUND_SECONDS,
    Preconditioning,
)


class PreparationSerializer(StrictSerializer):
    """The acts done to each disk before the first test, in this order."""

    purge = serializers.ChoiceField(
        choices=["discard", "secure"],
        default="",
        allow_blank=True,
        help_text="All blocks are given back, securely where the device offers it.",
    )
    sequential_fills = serializers.IntegerField(
        min_value=0, max_value=MOST_FILLS, default=0, help_text="Times filled in sequence, 128 KiB."
    )
    random_fills = serializers.IntegerField(
        min_value=0, max_value=MOST_FILLS, default=0, help_text="Times filled at random, 4 KiB."
    )
    max_aging_rounds = serializers.IntegerField(
        min_value=0,
        max_value=MOST_AGE_ROUNDS,
        default=0,
        help_text="Rounds of random writes, 4 KiB, until they are steady, at most; 0: not aged.",
    )
    aging_round_seconds = serializers.IntegerField(
        min_value=1, max_value=MOST_ROUND_SECONDS, default=60, help_text="Seconds of such a round."
    )
    even_if_known = serializers.BooleanField(
        default=False, help_text="Also where the disk is known to be in that state."
    )

    def to_internal_value(self, data: Any) -> Any:
        return Preconditioning(**super().to_internal_value(data))
