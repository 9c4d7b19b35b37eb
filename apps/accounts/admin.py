"""The administration pages: for looking, and for repairs that no page of benchlab offers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import ApiToken, AuditEntry, Team, User


class ReadOnly:
    """Shown, never changed here: the rows are written by benchlab's own services only."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(User)
class BenchlabUserAdmin(UserAdmin):  # type: ignore[type-arg] # takes no type at run time
    list_display = ["username", "role", "is_active", "last_login"]
    list_filter = ["role", "is_active"]
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (_("benchlab"), {"fields": ("role", "teams")}),
    )
    filter_horizontal = ("teams",)


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["name"]


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["name", "user", "read_only", "expiry", "last_used_at"]
    exclude = ["digest"]


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["at", "username", "verb", "noun", "label", "address"]
    list_filter = ["verb", "noun"]
    date_hierarchy = "at"
