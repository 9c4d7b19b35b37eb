"""Addresses of runs."""

from __future__ import annotations

from django.urls import path

from apps.runs.views import abandonment, actions, approvals, archive, bulk, queue, runs
from apps.runs.views.live import run_live

urlpatterns = [
    path("runs/", runs.run_list, name="run_list"),
    path("runs/queue/", runs.run_queue, name="run_queue"),
    path("queue/", queue.queue, name="queue"),
    path("calendar/", queue.calendar, name="calendar"),
    path("runs/bulk-edit/", bulk.runs_bulk_edit, name="runs_bulk_edit"),
    path("runs/<int:pk>/", runs.run_detail, name="run_detail"),
    path("runs/<int:pk>/parts/<slug:part>/", runs.run_fragment, name="run_fragment"),
    path("runs/<int:pk>/live/", run_live, name="run_live"),
    path("runs/<int:pk>/cancel/", actions.run_cancel, name="run_cancel"),
    path("runs/<int:pk>/priority/", queue.run_prioritise_page, name="run_prioritise"),
    path("runs/<int:pk>/retry/", actions.run_retry, name="run_retry"),
    path("runs/<int:pk>/add-repeats/", actions.run_add_repeats, name="run_add_repeats"),
    path("runs/<int:pk>/abandon/", abandonment.run_abandon, name="run_abandon"),
    path("runs/<int:pk>/release/", abandonment.run_release, name="run_release"),
    path("runs/<int:pk>/approval/", approvals.run_approval, name="run_approval"),
    path("runs/<int:pk>/archive/", archive.run_archive, name="run_archive"),
    path("runs/<int:pk>/delete/", archive.run_delete, name="run_delete"),
    path("runs/<int:pk>/measure/", runs.run_measure, name="run_measure"),
    path("runs/<int:pk>/note/", actions.run_note, name="run_note"),
    path("approvals/", approvals.approval_list, name="approval_list"),
    path("approvals/policies/", approvals.approval_policy_list, name="approval_policy_list"),
    path("approvals/policies/add/", approvals.approval_policy_edit, name="approval_policy_add"),
    path(
        "approvals/policies/<int:pk>/", approvals.approval_policy_edit, name="approval_policy_edit"
    ),
    path(
        "approvals/policies/<int:pk>/delete/",
        approvals.approval_policy_remove,
        name="approval_policy_delete",
    ),
    path("plans/<int:pk>/launch/", actions.run_launch, name="run_launch"),
    path("plans/<int:pk>/launch/notices/", actions.run_launch_notices, name="run_launch_notices"),
    path("plans/new/launch/", actions.plan_save_and_launch, name="plan_new_launch"),
    path("plans/<int:pk>/edit/launch/", actions.plan_save_and_launch, name="plan_edit_launch"),
    path(
        "cases/<int:pk>/attempts/<int:number>/files/<path:name>",
        actions.artifact_download,
        name="artifact_download",
    ),
]
