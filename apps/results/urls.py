"""Addresses of cases and their charts."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("cases/<int:pk>/", views.case_detail, name="case_detail"),
    path("cases/<int:pk>/body/", views.case_body, name="case_body"),
    path(
        "cases/<int:pk>/attempts/<int:number>/<slug:kind>.json",
        views.case_figure,
        name="case_figure",
    ),
]
