"""Addresses of cases and their charts."""

from __future__ import annotations

from django.urls import path

from . import curve_views, grid_views, mesh_views, views

urlpatterns = [
    path("runs/<int:pk>/curve/", curve_views.run_curve, name="run_curve"),
    path("runs/<int:pk>/table/", grid_views.run_grid, name="run_grid"),
    path("runs/<int:pk>/table.xlsx", grid_views.run_grid_sheet, name="run_grid_sheet"),
    path("runs/<int:pk>/network/", mesh_views.run_mesh, name="run_mesh"),
    path("cases/<int:pk>/", views.case_detail, name="case_detail"),
    path("cases/<int:pk>/body/", views.case_body, name="case_body"),
    path(
        "cases/<int:pk>/attempts/<int:number>/<slug:kind>.json",
        views.case_figure,
        name="case_figure",
    ),
]
