"""Every page's address. The apps bring their own; /api/v1/ is assembled in benchlab.api_urls."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
