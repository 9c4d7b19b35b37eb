"""Context processor with the product's facts."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, str]:
    return {"benchlab_version": settings.VERSION}
