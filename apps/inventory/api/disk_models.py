"""/api/v1/disk-models/."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Role
from apps.accounts.permissions import user_of
from apps.common.api.viewsets import ReadViewSet
from apps.inventory import services
from apps.inventory.api.serializers.disks import DiskModelSerializer
from apps.inventory.filters import DiskModelFilter
from apps.inventory.models import DiskModel
from apps.inventory.schemas.specifications import FIGURES
from apps.inventory.selectors.specifications import disk_models_for_list


class DiskModelViewSet(ReadViewSet[DiskModel]):
    queryset = disk_models_for_list()
    serializer_class = DiskModelSerializer
    filterset_class = DiskModelFilter
    write_role = Role.DISK_OWNER
    role_only_actions = ("partial_update",)

    def partial_update(self, request: Request, pk: int) -> Response:
        """Change the figures or the vendor of a disk model."""
        model = self.get_object()
        serializer = DiskModelSerializer(model, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        services.disk_model_update(
            model=model,
            user=user_of(request),
            values={name: data.get(name, getattr(model, name)) for name in FIGURES},
            vendor=data.get("vendor"),
        )
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)
