"""URLs of the tuning pages."""

from __future__ import annotations

from django.urls import path

from apps.tuning import views

urlpatterns = [
    path("tunings/", views.tuning_list, name="tuning_list"),
    path("tunings/new/", views.tuning_new, name="tuning_new"),
    path("tunings/import/", views.tuning_import, name="tuning_import"),
    path("tunings/<int:pk>/", views.tuning_detail, name="tuning_detail"),
    path("tunings/<int:pk>/diff/", views.tuning_diff, name="tuning_diff"),
    path("tunings/<int:pk>/edit/", views.tuning_edit, name="tuning_edit"),
    path("tunings/<int:pk>/clone/", views.tuning_copy, name="tuning_clone"),
    path("tunings/<int:pk>/fit/", views.tuning_fit, name="tuning_fit"),
    path("tunings/<int:pk>/archive/", views.tuning_archive_view, name="tuning_archive"),
]
