"""Addresses of the reports' pages."""

from __future__ import annotations

from django.urls import path

from apps.reports.views import answers, reports, runs, sections, shares

urlpatterns = [
    path("reports/", reports.report_list, name="report_list"),
    path("reports/new/", reports.report_new, name="report_new"),
    path("reports/keep/", sections.section_keep, name="section_keep"),
    path("runs/<int:pk>/keep/", runs.run_keep, name="run_keep"),
    path("reports/<int:pk>/", reports.report_detail, name="report_detail"),
    path("reports/<int:pk>/top/", answers.report_top, name="report_top"),
    path("reports/<int:pk>/edit/", reports.report_edit, name="report_edit"),
    path("reports/<int:pk>/clone/", reports.report_clone, name="report_clone"),
    path("reports/<int:pk>/freeze/", reports.report_keep_figures, name="report_freeze"),
    path("reports/<int:pk>/delete/", reports.report_remove, name="report_delete"),
    path("reports/<int:pk>/share/", shares.share_new, name="report_share"),
    path("reports/<int:pk>/sections/<int:place>/", sections.section_edit, name="section_edit"),
    path(
        "reports/<int:pk>/sections/<int:place>/answer/",
        answers.section_answer,
        name="section_answer",
    ),
    path(
        "reports/<int:pk>/sections/<int:place>/tile/",
        answers.section_tile,
        name="section_tile",
    ),
    path(
        "reports/<int:pk>/sections/<int:place>/move/",
        sections.section_move,
        name="section_move",
    ),
    path("shares/<int:pk>/end/", shares.share_end, name="share_end"),
    path("shared/<str:token>/", shares.shared, name="shared"),
]
