"""Addresses of the comparison page."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("compare/", views.compare, name="compare"),
    path("compare/figure/<slug:name>/", views.figure, name="compare_figure"),
    path("compare/distribution/", views.distribution, name="compare_distribution"),
]
