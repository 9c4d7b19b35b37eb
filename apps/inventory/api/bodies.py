"""Values of an action's body."""

from __future__ import annotations

from typing import Any, cast

from rest_framework import serializers
from rest_framework.request import Request


def said_in(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The values; raises ValidationError, which answers 400."""
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return cast(dict[str, Any], serializer.validated_data)
