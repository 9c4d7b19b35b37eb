"""URLs of pages. Apps define their own; benchlab.api_urls has /api/v1/."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from benchlab import views
from benchlab.autocomplete import choices
from benchlab.monitoring.views import MetricsView

handler400 = "apps.common.web.pages.bad_request"
handler403 = "apps.common.web.pages.permission_denied"
handler404 = "apps.common.web.pages.page_not_found"
handler500 = "apps.common.web.pages.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    # First, so that API requests are not matched against every page.
    path("api/v1/", include("benchlab.api_urls")),
    path("", include("apps.accounts.urls")),
    path("", include("apps.inventory.urls")),
    path("", include("apps.bookings.urls")),
    path("", include("apps.tuning.urls")),
    path("", include("apps.plans.urls")),
    path("", include("apps.runs.urls")),
    path("", include("apps.results.urls")),
    path("", include("apps.analysis.urls")),
    path("", include("apps.imports.urls")),
    path("", include("apps.search.urls")),
    path("", include("apps.reports.urls")),
    path("", include("apps.acceptance.urls")),
    path("", include("apps.alerts.urls")),
    path("choices/<slug:kind>/", choices, name="choices"),
    path("system/", views.system, name="system"),
    path("metrics", MetricsView.as_view(), name="metrics"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
]
