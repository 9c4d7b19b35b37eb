"""Validated bodies of actions."""

from __future__ import annotations

from typing import Any, cast

from rest_framework import serializers
from rest_framework.request import Request

from apps.common.api.serializers import Validated


def validated_body(kind: type[serializers.Serializer[Any]], request: Request) -> Validated:
    """Return the validated values of a request.

    Raises: ValidationError, answered with 400.
    """
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return cast(Validated, serializer.validated_data)
