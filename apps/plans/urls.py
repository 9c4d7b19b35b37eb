"""Addresses of the plan pages."""

from __future__ import annotations

from django.urls import path

from apps.plans import views
from apps.plans.form import views as form_views
from apps.plans.start import views as start_views

urlpatterns = [
    path("plans/", views.plan_list, name="plan_list"),
    path("plans/new/", form_views.plan_new, name="plan_new"),
    path("plans/steps/", form_views.plan_steps, name="plan_steps"),
    path("plans/preview/", form_views.plan_live_preview, name="plan_live_preview"),
    path("disks/<int:pk>/start/", start_views.disk_start, name="disk_start"),
    path("pools/<int:pk>/start/", start_views.pool_start, name="pool_start"),
    path("plans/<int:pk>/", views.plan_detail, name="plan_detail"),
    path("plans/<int:pk>/edit/", form_views.plan_edit, name="plan_edit"),
    path("plans/<int:pk>/clone/", views.plan_copy, name="plan_clone"),
    path("plans/<int:pk>/archive/", views.plan_put_away, name="plan_archive"),
    path("plans/<int:pk>/delete/", views.plan_remove, name="plan_delete"),
    path("plans/<int:pk>/schedule/", views.plan_schedule, name="plan_schedule"),
]
