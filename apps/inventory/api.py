"""/api/v1/hosts/, disks/ and directories/."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Role, User
from apps.common.api import ReadViewSet, WriteViewSet
from apps.common.errors import Refused
from apps.inventory import services
from apps.inventory.filters import DirectoryFilter, DiskFilter, HostFilter
from apps.inventory.models import Directory, Disk, Host
from apps.inventory.selectors import directories_for_list, disks_for_list, hosts_for_detail
from apps.inventory.serializers import (
    AcceptKeySerializer,
    DirectorySerializer,
    DiskSerializer,
    EnrolSerializer,
    HostSerializer,
    InstallSerializer,
)

DRAFT = [item.name for item in fields(services.HostDraft)]


class HostViewSet(WriteViewSet[Host]):
    queryset = hosts_for_detail()
    serializer_class = HostSerializer
    filterset_class = HostFilter
    write_role = Role.ADMIN
    action_roles = {"check": Role.OPERATOR}
    role_only_actions = ("check",)

    def perform_create(self, serializer: serializers.BaseSerializer[Host]) -> None:
        said = serializer.validated_data
        draft = services.HostDraft(**{name: said[name] for name in DRAFT if name in said})
        host = services.host_create(user=self._user, draft=draft, new_key=_new_key(said))
        serializer.instance = self._with_enabled(host, said)

    def perform_update(self, serializer: serializers.BaseSerializer[Host]) -> None:
        host, said = cast(Host, serializer.instance), serializer.validated_data
        now = {name: said.get(name, getattr(host, name)) for name in DRAFT}
        if said.keys() - {"enabled"}:
            draft = services.HostDraft(**now)
            host = services.host_update(
                host=host, user=self._user, draft=draft, new_key=_new_key(said)
            )
        serializer.instance = self._with_enabled(host, said)

    def _with_enabled(self, host: Host, said: dict[str, Any]) -> Host:
        if said.get("enabled", host.enabled) != host.enabled:
            services.host_enabled_set(host=host, user=self._user, enabled=said["enabled"])
        return self.get_queryset().get(pk=host.pk)

    @extend_schema(request=None, responses=HostSerializer)
    @action(detail=True, methods=["post"])
    def check(self, request: Request, pk: int) -> Response:
        """Ask a worker to look at the host; `check_requested_at` is null again when it has."""
        services.host_check_request(host=self.get_object(), user=self._user)
        return self._answer(pk)

    @extend_schema(request=AcceptKeySerializer, responses=HostSerializer)
    @action(detail=True, methods=["post"], url_path="accept-key")
    def accept_key(self, request: Request, pk: int) -> Response:
        """Pin the host key that was offered, by its fingerprint."""
        said = _said(AcceptKeySerializer, request)
        services.host_key_accept(
            host=self.get_object(), fingerprint=said["fingerprint"], user=self._user
        )
        return self._answer(pk)

    @extend_schema(request=None, responses=HostSerializer)
    @action(detail=True, methods=["post"], url_path="scan-key")
    def scan_key(self, request: Request, pk: int) -> Response:
        """Forget the pinned host key and look at the one the host shows now."""
        services.host_key_scan_request(host=self.get_object(), user=self._user)
        return self._answer(pk)

    @extend_schema(request=InstallSerializer, responses=HostSerializer)
    @action(detail=True, methods=["post"])
    def install(self, request: Request, pk: int) -> Response:
        """Install a tool with the host's package manager."""
        said = _said(InstallSerializer, request)
        services.tool_install_request(host=self.get_object(), tool=said["tool"], user=self._user)
        return self._answer(pk)

    @property
    def _user(self) -> User:
        return cast(User, self.request.user)

    def _answer(self, pk: int) -> Response:
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)


class DiskViewSet(ReadViewSet[Disk]):
    queryset = disks_for_list()
    serializer_class = DiskSerializer
    filterset_class = DiskFilter
    write_role = Role.DISK_OWNER

    @extend_schema(request=EnrolSerializer, responses=DiskSerializer)
    @action(detail=True, methods=["post"])
    def enrol(self, request: Request, pk: int) -> Response:
        """Mark the disk as expendable: tests may destroy everything on it."""
        said = _said(EnrolSerializer, request)
        user = cast(User, request.user)
        services.disk_enrol(disk=self.get_object(), user=user, confirmation=said["confirm"])
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)

    @extend_schema(request=None, responses=DiskSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """No test that writes starts on the disk any more."""
        services.disk_withdraw(disk=self.get_object(), user=cast(User, request.user))
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)


class DirectoryViewSet(mixins.DestroyModelMixin, WriteViewSet[Directory]):
    queryset = directories_for_list()
    serializer_class = DirectorySerializer
    filterset_class = DirectoryFilter

    def perform_create(self, serializer: serializers.BaseSerializer[Directory]) -> None:
        said = serializer.validated_data
        user = cast(User, self.request.user)
        serializer.instance = services.directory_create(user=user, **said)

    def perform_update(self, serializer: serializers.BaseSerializer[Directory]) -> None:
        row, said = cast(Directory, serializer.instance), serializer.validated_data
        now = {"host": row.host, "path": row.path}
        fixed = [name for name in now if said.get(name, now[name]) != now[name]]
        if fixed:
            text = _("Another place is another directory: make a new one.")
            raise Refused(text, dict.fromkeys(fixed, text), status=400)
        user = cast(User, self.request.user)
        serializer.instance = services.directory_update(
            directory=row, user=user, team=said.get("team", row.team)
        )

    def perform_destroy(self, instance: Directory) -> None:
        services.directory_delete(directory=instance, user=cast(User, self.request.user))


def _new_key(said: dict[str, Any]) -> services.NewKey | None:
    if said.get("private_key") or said.get("generate_key"):
        return services.NewKey(said.get("private_key", ""), said.get("passphrase", ""))
    return None


def _said(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return cast(dict[str, Any], serializer.validated_data)


router_entries = [("hosts", HostViewSet), ("disks", DiskViewSet), ("directories", DirectoryViewSet)]
