"""Addresses of cases and their charts."""

from __future__ import annotations

from django.urls import path

from apps.results.views import baselines, expectations, results, wear

urlpatterns = [
    path("baselines/", baselines.baseline_list, name="baseline_list"),
    path("disks/<int:pk>/baselines/", baselines.disk_baselines, name="disk_baselines"),
    path("baselines/<int:pk>/end/", baselines.baseline_end, name="baseline_end"),
    path("runs/<int:pk>/baseline/", baselines.baseline_new, name="baseline_new"),
    path("runs/<int:pk>/expectations/", expectations.run_expectations, name="run_expectations"),
    path("wear/", wear.wear, name="wear"),
    path("cases/<int:pk>/", results.case_detail, name="case_detail"),
    path("cases/<int:pk>/body/", results.case_body, name="case_body"),
    path(
        "cases/<int:pk>/attempts/<int:number>/<slug:kind>.json",
        results.case_figure,
        name="case_figure",
    ),
]
