"""Addresses of the import pages."""

from __future__ import annotations

from django.urls import path

from . import views
from .preview import file_views

urlpatterns = [
    path("imports/", views.import_list, name="import_list"),
    path("imports/new/", views.import_new, name="import_new"),
    path("imports/<int:pk>/", views.import_detail, name="import_detail"),
    path("imports/<int:pk>/state/", views.import_state, name="import_state"),
    path("imports/<int:pk>/names/", views.import_names, name="import_names"),
    path("imports/<int:pk>/many/", views.import_many, name="import_many"),
    path("imports/<int:pk>/store/", views.import_store_page, name="import_store"),
    path("imports/<int:pk>/discard/", views.import_discard_page, name="import_discard"),
    path("imports/<int:pk>/files/<int:number>/", file_views.file_detail, name="import_file"),
    path(
        "imports/<int:pk>/files/<int:number>/raw/",
        file_views.file_download,
        name="import_file_raw",
    ),
]
