"""The administration pages: for looking, and for repairs that no page of benchlab offers."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.admin import ReadOnly
from apps.inventory.models import (
    Credential,
    Directory,
    Disk,
    Host,
    HostFacts,
    HostPair,
    Pool,
    TargetGroup,
)


@admin.register(Host)
class HostAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # takes no type at run time
    list_display = ["name", "kind", "address", "health", "enabled"]
    list_filter = ["health", "enabled", "kind"]
    search_fields = ["name", "address"]


@admin.register(Credential)
class CredentialAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["name", "created_at"]
    fields = ["name", "public_key"]

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        """A key that no host uses any more can go; Django refuses the others."""
        return True


@admin.register(HostFacts)
class HostFactsAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["host", "collected_at", "last_seen_at"]
    list_filter = ["host"]


@admin.register(Disk)
class DiskAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["identity", "host", "node", "size", "enrolled_at"]
    list_filter = ["host"]


@admin.register(Directory)
class DirectoryAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["path", "host", "owner", "team"]
    list_filter = ["host"]


@admin.register(Pool)
class PoolAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["name", "host", "is_made", "owner", "team"]
    list_filter = ["host", "is_made"]


@admin.register(HostPair)
class HostPairAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["client", "server", "address"]


@admin.register(TargetGroup)
class TargetGroupAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ["name", "owner", "team"]
