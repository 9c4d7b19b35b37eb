"""URLs of bookings."""

from __future__ import annotations

from django.urls import path

from apps.bookings import views

urlpatterns = [
    path("bookings/", views.booking_list, name="booking_list"),
    path("bookings/feed/<str:token>.ics", views.booking_feed, name="booking_feed"),
    path("bookings/new/", views.booking_edit, name="booking_add"),
    path("bookings/request/", views.request_add, name="booking_request"),
    path("booking-requests/<int:pk>/cancel/", views.request_cancel_page, name="request_cancel"),
    path("bookings/<int:pk>/edit/", views.booking_edit, name="booking_edit"),
    path("bookings/<int:pk>/end/", views.booking_end_page, name="booking_end"),
]
