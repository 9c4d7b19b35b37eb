"""A preparation as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.common.serializers import StrictSerializer

from .contract import MOST_FILLS, Preparation


class PreparationSerializer(StrictSerializer):
    """The acts done to each disk before the first test, in this order."""

    discard = serializers.ChoiceField(
        choices=["discard", "secure"],
        default="",
        allow_blank=True,
        help_text="All blocks are given back, securely where the device offers it.",
    )
    sequential = serializers.IntegerField(
        min_value=0, max_value=MOST_FILLS, default=0, help_text="Times filled in sequence, 128 KiB."
    )
    random = serializers.IntegerField(
        min_value=0, max_value=MOST_FILLS, default=0, help_text="Times filled at random, 4 KiB."
    )
    always = serializers.BooleanField(
        default=False, help_text="Also where the disk is known to be in that state."
    )


def preparation_of(values: Mapping[str, Any]) -> Preparation:
    """The preparation of validated data."""
    return Preparation(**values)
