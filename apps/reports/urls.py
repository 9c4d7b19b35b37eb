"""URLs of the report pages."""

from __future__ import annotations

from django.urls import path

from apps.reports.views import fragments, reports, runs, sections, shares

urlpatterns = [
    path("reports/", reports.report_list, name="report_list"),
    path("reports/new/", reports.report_new, name="report_new"),
    path("reports/add-section/", sections.section_add, name="section_add"),
    path("runs/<int:pk>/save-report/", runs.run_report_save, name="run_report_save"),
    path("reports/<int:pk>/", reports.report_detail, name="report_detail"),
    path("reports/<int:pk>/top/", fragments.report_top, name="report_top"),
    path("reports/<int:pk>/edit/", reports.report_edit, name="report_edit"),
    path("reports/<int:pk>/clone/", reports.report_clone, name="report_clone"),
    path("reports/<int:pk>/freeze/", reports.report_freeze, name="report_freeze"),
    path("reports/<int:pk>/delete/", reports.report_remove, name="report_delete"),
    path("reports/<int:pk>/share/", shares.share_new, name="report_share"),
    path("reports/<int:pk>/sections/<int:position>/", sections.section_edit, name="section_edit"),
    path(
        "reports/<int:pk>/sections/<int:position>/result/",
        fragments.section_result,
        name="section_result",
    ),
    path(
        "reports/<int:pk>/sections/<int:position>/tile/",
        fragments.section_tile,
        name="section_tile",
    ),
    path(
        "reports/<int:pk>/sections/<int:position>/move/",
        sections.section_move,
        name="section_move",
    ),
    path("shares/<int:pk>/revoke/", shares.share_revoke, name="share_revoke"),
    path("shared/<str:token>/", shares.shared, name="shared"),
]
