"""URLs of comparisons, analysis views and run reports."""

from __future__ import annotations

from django.urls import path

from apps.analysis.views import (
    bottleneck,
    causes,
    compare,
    config_diff,
    distribution,
    files,
    fleet,
    gate,
    history,
    network,
    report,
    run_timeline,
    sample_size,
    steady_state,
    sweep,
    table,
    timeseries,
    verdicts,
)

urlpatterns = [
    path("compare/", compare.compare, name="compare"),
    path("gate/", gate.gate, name="gate"),
    path("compare/figure/<slug:name>/", compare.figure, name="compare_figure"),
    path("compare/details/", compare.details, name="compare_details"),
    path("compare/causes/", causes.compare_causes, name="compare_causes"),
    path("compare/distribution/", compare.distribution, name="compare_distribution"),
    path("analysis/<slug:view>/export/", files.export, name="analysis_export"),
    path("analysis/<slug:view>/figure/<slug:name>/", files.figure, name="analysis_figure"),
    path("plans/<int:pk>/repeats/", sample_size.plan_repeats, name="plan_repeats"),
    path("analysis/parameter/", sweep.sweep, name="sweep"),
    path("runs/<int:pk>/headline/", report.run_headline, name="run_headline"),
    path("tunings/<int:pk>/verdicts/", verdicts.tuning_verdicts, name="tuning_verdicts"),
    path("disks/<int:pk>/verdicts/", verdicts.disk_verdicts, name="disk_verdicts"),
    path("history/", history.history, name="history"),
    path("history/causes/", causes.history_changes_causes, name="history_causes"),
    path("analysis/fleet/", fleet.fleet, name="fleet"),
    path("fleet/", fleet.fleet_disks, name="fleet_disks"),
    path("analysis/distribution/", distribution.distribution, name="distribution"),
    path("analysis/timeseries/", timeseries.timeseries, name="timeseries"),
    path("analysis/bottleneck/", bottleneck.bottleneck, name="bottleneck"),
    path("analysis/config-diff/", config_diff.config_diff, name="config_diff"),
    path("runs/<int:pk>/grid/", table.run_grid, name="run_grid"),
    path("runs/<int:pk>/grid.xlsx", table.run_grid_sheet, name="run_grid_sheet"),
    path("runs/<int:pk>/steady-state/", steady_state.run_steady_state, name="run_steady_state"),
    path("runs/<int:pk>/timeline/", run_timeline.run_timeline, name="run_timeline"),
    path(
        "runs/<int:pk>/timeline.json", run_timeline.run_timeline_figure, name="run_timeline_figure"
    ),
    path("runs/<int:pk>/findings/", report.run_findings, name="run_findings"),
    path("runs/<int:pk>/report/", report.run_report, name="run_report"),
    path("runs/<int:pk>/report/top/", report.run_report_top, name="run_report_top"),
    path("runs/<int:pk>/report/<slug:view>/", report.run_report_part, name="run_report_part"),
    path("runs/<int:pk>/mesh/", network.run_mesh, name="run_mesh"),
]
