"""URLs of alerts."""

from __future__ import annotations

from django.urls import path

from apps.alerts import views

urlpatterns = [
    path("alerts/", views.alert_list, name="alert_list"),
    path("alerts/new/", views.alert_new, name="alert_new"),
    path("alerts/<int:pk>/", views.alert_detail, name="alert_detail"),
    path("alerts/<int:pk>/edit/", views.alert_edit, name="alert_edit"),
    path("alerts/<int:pk>/delete/", views.alert_remove, name="alert_delete"),
    path("alerts/<int:pk>/send-test/", views.alert_test, name="alert_send_test"),
]
