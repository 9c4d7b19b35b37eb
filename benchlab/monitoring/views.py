"""GET /metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.conf import settings
from django.http import HttpResponse
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.openmetrics.exposition import ALLOWUTF8
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.accounts.authentication import MetricsAuthentication
from apps.accounts.models import Role, User
from apps.accounts.permissions import needs_role
from apps.common.api.viewsets import FormatIsOurs
from apps.common.web.request import current_address, is_among
from benchlab.monitoring.collector import BenchlabCollector

REGISTRY = CollectorRegistry()
REGISTRY.register(BenchlabCollector())


class MetricsPermission(BasePermission):
    """Admits admins, as the page *System* does, and BENCHLAB_METRICS_NETWORKS."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if is_from_metrics_network(request):
            return True
        self.message = needs_role(Role.ADMIN)
        return isinstance(request.user, User) and request.user.has_role(Role.ADMIN)


def is_from_metrics_network(request: Request) -> bool:
    """Return True if the caller's address needs no token.

    A proxy that is not in BENCHLAB_TRUSTED_PROXIES hides its callers, so its address does not
    count.
    """
    networks = settings.BENCHLAB_METRICS_NETWORKS
    proxies = settings.BENCHLAB_TRUSTED_PROXIES
    forwarded = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    hidden = forwarded and not is_among(str(request.META.get("REMOTE_ADDR") or ""), proxies)
    return not hidden and is_among(current_address(), networks)


class MetricsView(APIView):
    """Metrics in Prometheus' text format, or in OpenMetrics if the client asks for it."""

    authentication_classes = (MetricsAuthentication, SessionAuthentication)
    permission_classes = (MetricsPermission,)
    # Prometheus' media types are none of DRF's renderers.
    content_negotiation_class = FormatIsOurs
    schema = None
    http_method_names = ("get", "head", "options")

    def get(self, request: Request) -> HttpResponse:
        encoder, content_type = choose_encoder(request.META.get("HTTP_ACCEPT", ""))
        encode = cast("Callable[..., bytes]", encoder)
        # No name needs an escape. The other escapings look at each of its letters (12 ms for 500
        # hosts) and write the same.
        return HttpResponse(encode(REGISTRY, escaping=ALLOWUTF8), content_type=content_type)
