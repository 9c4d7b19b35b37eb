"""/api/v1/disk-catalogue/."""

from __future__ import annotations

from typing import cast

from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Role
from apps.accounts.permissions import user_of
from apps.common.api.viewsets import WriteViewSet
from apps.inventory import services
from apps.inventory.api.serializers.disks import (
    CatalogueEntrySerializer,
    CatalogueImportSerializer,
    CatalogueTextSerializer,
)
from apps.inventory.filters import CatalogueFilter
from apps.inventory.models import CatalogueEntry


class CatalogueViewSet(mixins.DestroyModelMixin, WriteViewSet[CatalogueEntry]):
    """The catalogue of disk models: rated writes, and what makers state."""

    queryset = CatalogueEntry.objects.all()
    serializer_class = CatalogueEntrySerializer
    filterset_class = CatalogueFilter
    write_role = Role.DISK_OWNER
    role_only_actions = ("update", "partial_update", "destroy")

    def perform_create(self, serializer: serializers.BaseSerializer[CatalogueEntry]) -> None:
        serializer.instance = services.catalogue_entry_save(
            user=user_of(self.request), values=serializer.validated_data
        )

    def perform_update(self, serializer: serializers.BaseSerializer[CatalogueEntry]) -> None:
        entry = cast(CatalogueEntry, serializer.instance)
        serializer.instance = services.catalogue_entry_save(
            user=user_of(self.request), values=serializer.validated_data, entry=entry
        )

    def perform_destroy(self, instance: CatalogueEntry) -> None:
        services.catalogue_entry_delete(user=user_of(self.request), entry=instance)

    @extend_schema(request=CatalogueTextSerializer, responses=CatalogueImportSerializer)
    @action(detail=False, methods=["post"], url_path="import", filterset_class=None)
    def import_text(self, request: Request) -> Response:
        """Create or change the entries of a CSV, all or none."""
        body = CatalogueTextSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        done = services.catalogue_import(user=user_of(request), text=body.validated_data["text"])
        return Response(CatalogueImportSerializer(done).data)
