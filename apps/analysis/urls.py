"""Addresses of what is asked of results: comparisons, sweeps, tables, networks."""

from __future__ import annotations

from django.urls import path

from apps.analysis import views
from apps.analysis.ceiling import views as ceiling
from apps.analysis.compare import views as compare
from apps.analysis.compare.more_repeats import advised
from apps.analysis.course import views as course
from apps.analysis.distribution import views as distribution
from apps.analysis.facts import views as facts
from apps.analysis.fleet import views as fleet
from apps.analysis.history import views as history
from apps.analysis.network import views as network
from apps.analysis.report import views as report
from apps.analysis.rounds import views as rounds
from apps.analysis.sweep import views as sweep
from apps.analysis.table import views as table
from apps.analysis.time import views as time

urlpatterns = [
    path("compare/", compare.compare, name="compare"),
    path("compare/figure/<slug:name>/", compare.figure, name="compare_figure"),
    path("compare/details/", compare.details, name="compare_details"),
    path("compare/distribution/", compare.distribution, name="compare_distribution"),
    path("analysis/<slug:view>/export/", views.export, name="analysis_export"),
    path("analysis/<slug:view>/figure/<slug:name>/", views.figure, name="analysis_figure"),
    path("plans/<int:pk>/repeats/", advised.plan_repeats, name="plan_repeats"),
    path("sweep/", sweep.sweep, name="sweep"),
    path("runs/<int:pk>/headline/", report.run_headline, name="run_headline"),
    path("history/", history.history, name="history"),
    path("fleet/", fleet.fleet, name="fleet"),
    path("distribution/", distribution.distribution, name="distribution"),
    path("time/", time.over_time, name="over_time"),
    path("ceiling/", ceiling.ceiling, name="ceiling"),
    path("facts/", facts.facts, name="facts"),
    path("runs/<int:pk>/curve/", sweep.run_curve, name="run_curve"),
    path("runs/<int:pk>/table/", table.run_grid, name="run_grid"),
    path("runs/<int:pk>/table.xlsx", table.run_grid_sheet, name="run_grid_sheet"),
    path("runs/<int:pk>/rounds/", rounds.run_rounds, name="run_rounds"),
    path("runs/<int:pk>/course/", course.run_course, name="run_course"),
    path("runs/<int:pk>/course.json", course.run_course_figure, name="run_course_figure"),
    path("runs/<int:pk>/said/", report.run_said, name="run_said"),
    path("runs/<int:pk>/report/", report.run_report, name="run_report"),
    path("runs/<int:pk>/report/top/", report.run_report_top, name="run_report_top"),
    path("runs/<int:pk>/report/<slug:view>/", report.run_report_part, name="run_report_part"),
    path("runs/<int:pk>/network/", network.run_mesh, name="run_mesh"),
]
