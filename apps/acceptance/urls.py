"""URLs of acceptances."""

from __future__ import annotations

from django.urls import path

from apps.acceptance import views

urlpatterns = [
    path("acceptances/", views.acceptance_list, name="acceptance_list"),
    path("acceptances/new/", views.acceptance_new, name="acceptance_new"),
    path("acceptances/<int:pk>/", views.acceptance_detail, name="acceptance_detail"),
    path("acceptances/<int:pk>/cancel/", views.acceptance_cancel_page, name="acceptance_cancel"),
    path("acceptances/<int:pk>/decide/", views.acceptance_decide_page, name="acceptance_decide"),
    path("acceptances/<int:pk>/delete/", views.acceptance_delete_page, name="acceptance_delete"),
    path("acceptances/<int:pk>/lot.csv", views.acceptance_lot, name="acceptance_lot"),
    path("acceptances/<int:pk>/disks/<int:disk>/", views.disk_sheet, name="disk_sheet"),
    path(
        "acceptances/<int:pk>/disks/<int:disk>/<str:kind>/",
        views.disk_sheet_file,
        name="disk_sheet_file",
    ),
]
