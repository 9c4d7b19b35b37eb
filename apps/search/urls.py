"""URL of the search."""

from __future__ import annotations

from django.urls import path

from apps.search import views

urlpatterns = [
    path("search/", views.search_page, name="search"),
    path("search/suggestions/", views.search_suggestions, name="search_suggestions"),
]
