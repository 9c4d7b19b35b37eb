"""Addresses of runs."""

from __future__ import annotations

from django.urls import path

from . import views
from .live.views import run_live
from .pages import act_views, chosen_views, giving_up_views, keeping_views

urlpatterns = [
    path("runs/", views.run_list, name="run_list"),
    path("runs/queue/", views.run_queue, name="run_queue"),
    path("runs/chosen/", chosen_views.runs_chosen, name="runs_chosen"),
    path("runs/<int:pk>/", views.run_detail, name="run_detail"),
    path("runs/<int:pk>/parts/<slug:part>/", views.run_fragment, name="run_fragment"),
    path("runs/<int:pk>/live/", run_live, name="run_live"),
    path("runs/<int:pk>/cancel/", act_views.run_cancel, name="run_cancel"),
    path("runs/<int:pk>/retry/", act_views.run_retry, name="run_retry"),
    path("runs/<int:pk>/add-repeats/", act_views.run_add_repeats, name="run_add_repeats"),
    path("runs/<int:pk>/give-up/", giving_up_views.run_give_up, name="run_give_up"),
    path("runs/<int:pk>/free/", giving_up_views.run_free, name="run_free"),
    path("runs/<int:pk>/archive/", keeping_views.run_archive, name="run_archive"),
    path("runs/<int:pk>/delete/", keeping_views.run_delete, name="run_delete"),
    path("runs/<int:pk>/note/", act_views.run_note, name="run_note"),
    path("plans/<int:pk>/launch/", act_views.run_launch, name="run_launch"),
    path(
        "cases/<int:pk>/attempts/<int:number>/files/<path:name>",
        act_views.artifact_download,
        name="artifact_download",
    ),
]
