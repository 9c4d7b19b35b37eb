"""URLs of the plan pages."""

from __future__ import annotations

from django.urls import path

from apps.plans.views import form, plans, wizard

urlpatterns = [
    path("plans/", plans.plan_list, name="plan_list"),
    path("plans/new/", form.plan_new, name="plan_new"),
    path("plans/steps/", form.plan_steps, name="plan_steps"),
    path("plans/preview/", form.plan_live_preview, name="plan_live_preview"),
    path("disks/<int:pk>/start/", wizard.disk_start, name="disk_start"),
    path("pools/<int:pk>/start/", wizard.pool_start, name="pool_start"),
    path("plans/<int:pk>/", plans.plan_detail, name="plan_detail"),
    path("plans/<int:pk>/edit/", form.plan_edit, name="plan_edit"),
    path("plans/<int:pk>/differences/", plans.plan_differences, name="plan_differences"),
    path("plans/<int:pk>/clone/", plans.plan_copy, name="plan_clone"),
    path("plans/<int:pk>/archive/", plans.plan_put_away, name="plan_archive"),
    path("plans/<int:pk>/delete/", plans.plan_remove, name="plan_delete"),
    path("plans/<int:pk>/advice/", plans.plan_advice, name="plan_advice"),
    path("plans/<int:pk>/schedule/", plans.plan_schedule, name="plan_schedule"),
]
