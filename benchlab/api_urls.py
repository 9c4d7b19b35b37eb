"""URLs of /api/v1/, and the OpenAPI document."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import APIRootView, DefaultRouter

from apps.acceptance.api import router_entries as acceptances
from apps.accounts.api import router_entries as accounts
from apps.alerts.api import router_entries as alerts
from apps.analysis.api.analyses import router_entries as analysis
from apps.analysis.api.comparisons import router_entries as compare
from apps.analysis.api.gate import router_entries as gate
from apps.analysis.api.history import router_entries as history
from apps.bookings.api import router_entries as bookings
from apps.common.web.request import own_address
from apps.imports.api.imports import router_entries as imports
from apps.inventory.api import router_entries as inventory
from apps.plans.api.plans import router_entries as plans
from apps.reports.api import router_entries as reports
from apps.results.api.expectations import router_entries as expectations
from apps.results.api.results import router_entries as results
from apps.runs.api.queue import router_entries as queue
from apps.runs.api.runs import router_entries as runs
from apps.search.api import router_entries as search
from apps.tuning.api import router_entries as tuning
from benchlab.monitoring.api import router_entries as version


class ApiRoot(APIRootView):
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        answer = super().get(request, *args, **kwargs)
        addresses = {name: own_address(request, address) for name, address in answer.data.items()}
        return Response(addresses)


router = DefaultRouter(use_regex_path=False)
router.APIRootView = ApiRoot
router.include_root_view = True
router.include_format_suffixes = False
ENTRIES: list[tuple[str, Any]] = [
    *(*accounts, *inventory, *bookings, *tuning, *plans, *queue, *runs, *results, *expectations),
    *(
        *compare,
        *gate,
        *history,
        *analysis,
        *imports,
        *search,
        *reports,
        *acceptances,
        *alerts,
        *version,
    ),
]
for prefix, viewset in ENTRIES:
    router.register(prefix, viewset, basename=prefix)

app_name = "v1"
urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "schema/",
        SpectacularAPIView.as_view(permission_classes=[IsAuthenticated]),
        name="schema",
    ),
    path(
        "docs/",
        SpectacularSwaggerSplitView.as_view(
            url_name="v1:schema",
            permission_classes=[IsAuthenticated],
            http_method_names=["get", "head"],  # its template has no words for OPTIONS
        ),
        name="docs",
    ),
    *router.urls,
]
