"""/api/v1/disks/."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.fresh_login import require_wipe_right
from apps.accounts.models import Role
from apps.accounts.permissions import user_of
from apps.common.api.viewsets import ReadViewSet
from apps.inventory import services
from apps.inventory.api.bodies import validated_body
from apps.inventory.api.serializers.disk_lists import (
    EnrolListResultSerializer,
    EnrolListSerializer,
    enrol_list_result,
)
from apps.inventory.api.serializers.disks import (
    BackingArraySerializer,
    DiskSerializer,
    DiskSpecificationSerializer,
    DistinctDeviceSerializer,
    EnrolSerializer,
)
from apps.inventory.api.serializers.host_lists import dry_run_parameter, is_dry_run
from apps.inventory.filters import DiskFilter
from apps.inventory.models import Disk
from apps.inventory.selectors.disk_list_plan import plan_disks
from apps.inventory.selectors.inventory import disks_for_list


class DiskViewSet(ReadViewSet[Disk]):
    queryset = disks_for_list()
    serializer_class = DiskSerializer
    filterset_class = DiskFilter
    write_role = Role.DISK_OWNER
    action_roles = {"partial_update": Role.OPERATOR}  # as RolePermission reads it
    role_only_actions = ("partial_update",)
    fresh_actions = ("enrol",)

    def partial_update(self, request: Request, pk: int) -> Response:
        """Set the disk's tags."""
        disk = self.get_object()
        serializer = DiskSerializer(disk, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        tags = serializer.validated_data.get("tags", disk.tags)
        gone = set(disk.tags) - set(tags)
        services.disk_tag(disk=disk, user=user_of(request), add=tags, remove=gone)
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)

    @extend_schema(request=EnrolSerializer, responses=DiskSerializer)
    @action(detail=True, methods=["post"])
    def enrol(self, request: Request, pk: int) -> Response:
        """Mark the disk as expendable: tests may destroy everything on it."""
        values = validated_body(EnrolSerializer, request)
        user = user_of(request)
        services.disk_enrol(disk=self.get_object(), user=user, confirmation=values["confirm"])
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)

    @extend_schema(
        request=EnrolListSerializer,
        parameters=[dry_run_parameter()],
        responses=EnrolListResultSerializer,
    )
    @action(detail=False, methods=["post"], url_path="enrol-list")
    def enrol_list(self, request: Request) -> Response:
        """Enrol the disks of a list, all or none; `dry_run=true` shows what it would do.

        Without `dry_run` it needs a fresh login or a token that may wipe, as `enrol` does.
        """
        dry_run = is_dry_run(request)
        if not dry_run:
            require_wipe_right(request)
        values = validated_body(EnrolListSerializer, request)
        plan = plan_disks(values["text"])
        if not dry_run:
            services.disks_enrol_listed(
                user=user_of(request),
                text=values["text"],
                confirmation=str(values.get("confirm", "")),
                lines=values.get("lines"),
            )
        return Response(enrol_list_result(plan))

    @extend_schema(request=None, responses=DiskSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """End the enrolment: no further test writes to the disk."""
        services.disk_withdraw(disk=self.get_object(), user=user_of(request))
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)

    @extend_schema(request=DistinctDeviceSerializer, responses=DiskSerializer)
    @action(detail=True, methods=["post"], url_path="distinct-device")
    def distinct_device(self, request: Request, pk: int) -> Response:
        """Declare whether the disk differs from those that other hosts show under its identity.

        Runs on a distinct disk do not wait for runs of other hosts.
        """
        values = validated_body(DistinctDeviceSerializer, request)
        user = user_of(request)
        services.disk_set_distinct(
            disk=self.get_object(), is_distinct=values["distinct"], user=user
        )
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)

    @extend_schema(request=DiskSpecificationSerializer, responses=DiskSerializer)
    @action(detail=True, methods=["post"])
    def specification(self, request: Request, pk: int) -> Response:
        """Set the specified figures of the disk; a figure that is left out is that of its model."""
        values = validated_body(DiskSpecificationSerializer, request)
        user = user_of(request)
        services.disk_specification_set(disk=self.get_object(), user=user, values=values)
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)

    @extend_schema(request=BackingArraySerializer, responses=DiskSerializer)
    @action(detail=True, methods=["post"])
    def backing(self, request: Request, pk: int) -> Response:
        """Set the array that the host sees as this disk."""
        values = validated_body(BackingArraySerializer, request)
        array = values if values["level"] else None
        services.disk_backing_set(disk=self.get_object(), user=user_of(request), values=array)
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)
