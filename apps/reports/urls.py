"""Addresses of the reports' pages."""

from __future__ import annotations

from django.urls import path

from . import answer_views, run_views, section_views, share_views, views

urlpatterns = [
    path("reports/", views.report_list, name="report_list"),
    path("reports/new/", views.report_new, name="report_new"),
    path("reports/keep/", section_views.section_keep, name="section_keep"),
    path("runs/<int:pk>/keep/", run_views.run_keep, name="run_keep"),
    path("reports/<int:pk>/", views.report_detail, name="report_detail"),
    path("reports/<int:pk>/top/", answer_views.report_top, name="report_top"),
    path("reports/<int:pk>/edit/", views.report_edit, name="report_edit"),
    path("reports/<int:pk>/clone/", views.report_clone, name="report_clone"),
    path("reports/<int:pk>/freeze/", views.report_keep_figures, name="report_freeze"),
    path("reports/<int:pk>/delete/", views.report_remove, name="report_delete"),
    path("reports/<int:pk>/share/", share_views.share_new, name="report_share"),
    path("reports/<int:pk>/sections/<int:place>/", section_views.section_edit, name="section_edit"),
    path(
        "reports/<int:pk>/sections/<int:place>/answer/",
        answer_views.section_answer,
        name="section_answer",
    ),
    path(
        "reports/<int:pk>/sections/<int:place>/tile/",
        answer_views.section_tile,
        name="section_tile",
    ),
    path(
        "reports/<int:pk>/sections/<int:place>/move/",
        section_views.section_move,
        name="section_move",
    ),
    path("shares/<int:pk>/end/", share_views.share_end, name="share_end"),
    path("shared/<str:token>/", share_views.shared, name="shared"),
]
