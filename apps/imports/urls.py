"""Addresses of the import pages."""

from __future__ import annotations

from django.urls import path

from apps.imports.views import files, imports

urlpatterns = [
    path("imports/", imports.import_list, name="import_list"),
    path("imports/new/", imports.import_new, name="import_new"),
    path("imports/<int:pk>/", imports.import_detail, name="import_detail"),
    path("imports/<int:pk>/state/", imports.import_state, name="import_state"),
    path("imports/<int:pk>/names/", imports.import_names, name="import_names"),
    path("imports/<int:pk>/bulk-names/", imports.import_bulk_names, name="import_bulk_names"),
    path("imports/<int:pk>/store/", imports.import_store_page, name="import_store"),
    path("imports/<int:pk>/discard/", imports.import_discard_page, name="import_discard"),
    path("imports/<int:pk>/files/<int:number>/", files.file_detail, name="import_file"),
    path(
        "imports/<int:pk>/files/<int:number>/raw/",
        files.file_download,
        name="import_file_raw",
    ),
]
