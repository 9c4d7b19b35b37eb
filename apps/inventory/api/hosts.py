"""/api/v1/hosts/."""

from __future__ import annotations

from dataclasses import fields
from typing import cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.fresh_login import require_wipe_right
from apps.accounts.models import Role, User
from apps.accounts.permissions import user_of
from apps.common.api.serializers import Validated
from apps.common.api.viewsets import WriteViewSet
from apps.inventory import services
from apps.inventory.api.bodies import validated_body
from apps.inventory.api.serializers.host_lists import (
    AcceptedKeysSerializer,
    BulkHostsSerializer,
    BulkResultSerializer,
    ListedKeysSerializer,
    bulk_result,
    dry_run_parameter,
    is_dry_run,
)
from apps.inventory.api.serializers.hosts import (
    AcceptKeySerializer,
    HoldSerializer,
    HostClusterSerializer,
    HostSerializer,
    InstallSerializer,
)
from apps.inventory.filters import HostFilter
from apps.inventory.models import Host
from apps.inventory.selectors.host_plan import ListOptions, plan_hosts
from apps.inventory.selectors.inventory import hosts_for_detail

ACCESS = ("kind", "address", "port", "user", "key_source", "credential", "jump")
DRAFT = [item.name for item in fields(services.HostDraft)]


class HostViewSet(WriteViewSet[Host]):
    queryset = hosts_for_detail()
    serializer_class = HostSerializer
    filterset_class = HostFilter
    write_role = Role.ADMIN
    action_roles = {"check": Role.OPERATOR, "restore_settings": Role.OPERATOR}
    role_only_actions = ("check", "restore_settings")
    fresh_actions = ("accept_key", "accept_keys", "scan_key")

    def perform_create(self, serializer: serializers.BaseSerializer[Host]) -> None:
        values = serializer.validated_data
        self._check_key(values)
        draft = services.HostDraft(**{name: values[name] for name in DRAFT if name in values})
        host = services.host_create(user=self._user, draft=draft, new_key=_new_key(values))
        serializer.instance = self._with_enabled(host, values)

    def perform_update(self, serializer: serializers.BaseSerializer[Host]) -> None:
        host, values = cast(Host, serializer.instance), serializer.validated_data
        self._check_access(host, values)
        now = {name: values.get(name, getattr(host, name)) for name in DRAFT}
        if values.keys() - {"enabled"}:
            draft = services.HostDraft(**now)
            host = services.host_update(
                host=host, user=self._user, draft=draft, new_key=_new_key(values)
            )
        serializer.instance = self._with_enabled(host, values)

    def _check_key(self, values: Validated) -> None:
        """Raise PermissionDenied for a new key without the right to wipe."""
        if _new_key(values):
            require_wipe_right(self.request)

    def _check_access(self, host: Host, values: Validated) -> None:
        """Raise PermissionDenied for another machine or key without the right to wipe."""
        if any(values[name] != getattr(host, name) for name in ACCESS if name in values):
            require_wipe_right(self.request)
        self._check_key(values)

    def _with_enabled(self, host: Host, values: Validated) -> Host:
        if values.get("enabled", host.enabled) != host.enabled:
            services.host_enabled_set(host=host, user=self._user, enabled=values["enabled"])
        return self.get_queryset().get(pk=host.pk)

    @extend_schema(
        request=BulkHostsSerializer,
        parameters=[dry_run_parameter()],
        responses={200: BulkResultSerializer, 201: BulkResultSerializer},
    )
    @action(detail=False, methods=["post"])
    def bulk(self, request: Request) -> Response:
        """Add and change the hosts of a list, all or none; `dry_run=true` shows what it would do.

        It makes and trusts keys, so it needs a fresh login or a token that may wipe.

        `names`: only these rows. A row that is refused stores nothing, unless `names` leaves it
        out.
        """
        dry_run = is_dry_run(request)
        if not dry_run:
            require_wipe_right(request)
        values = dict(validated_body(BulkHostsSerializer, request))
        names = values.pop("names", None)
        options = ListOptions(**values)
        if dry_run:
            return Response(bulk_result(plan_hosts(options), None))
        plan = plan_hosts(options)
        batch = services.host_batch_create(user=self._user, options=options, names=names)
        return Response(bulk_result(plan, batch), status=201)

    @extend_schema(request=ListedKeysSerializer, responses=AcceptedKeysSerializer)
    @action(detail=False, methods=["post"], url_path="accept-keys")
    def accept_keys(self, request: Request) -> Response:
        """Trust the presented keys of a batch that a text lists for their hosts.

        `text`: known_hosts lines, or the output of `ssh-keygen -lf` with the names of hosts.
        """
        values = validated_body(ListedKeysSerializer, request)
        result = services.host_keys_accept_listed(
            batch=values["batch"], text=values["text"], user=self._user
        )
        refused = [{"name": name, "reason": why} for name, why in result.refused.items()]
        return Response({"accepted": result.accepted, "refused": refused})

    @extend_schema(request=None, responses=HostSerializer)
    @action(detail=True, methods=["post"])
    def check(self, request: Request, pk: int) -> Response:
        """Request a check of the host; `check_requested_at` is null again when it has ended."""
        services.host_check_request(host=self.get_object(), user=self._user)
        return self._answer(pk)

    @extend_schema(request=HoldSerializer, responses=HostSerializer)
    @action(detail=True, methods=["post"])
    def hold(self, request: Request, pk: int) -> Response:
        """Put the host on hold until `release/`: no run starts on it (admins)."""
        reason = validated_body(HoldSerializer, request)["reason"]
        services.host_hold(host=self.get_object(), user=self._user, reason=reason)
        return self._answer(pk)

    @extend_schema(request=None, responses=HostSerializer)
    @action(detail=True, methods=["post"])
    def release(self, request: Request, pk: int) -> Response:
        """End the hold of the host; runs may start on it again (admins)."""
        services.host_release(host=self.get_object(), user=self._user)
        return self._answer(pk)

    @extend_schema(request=None, responses=HostSerializer)
    @action(detail=True, methods=["post"], url_path="restore-settings")
    def restore_settings(self, request: Request, pk: int) -> Response:
        """Restore unrestored settings of ended tests and check the host.

        `check_requested_at` is null again when the check has ended.
        """
        services.host_restore_settings_request(host=self.get_object(), user=self._user)
        return self._answer(pk)

    @extend_schema(request=AcceptKeySerializer, responses=HostSerializer)
    @action(detail=True, methods=["post"], url_path="accept-key")
    def accept_key(self, request: Request, pk: int) -> Response:
        """Pin the presented host key, identified by its fingerprint."""
        values = validated_body(AcceptKeySerializer, request)
        services.host_key_accept(
            host=self.get_object(), fingerprint=values["fingerprint"], user=self._user
        )
        return self._answer(pk)

    @extend_schema(request=None, responses=HostSerializer)
    @action(detail=True, methods=["post"], url_path="scan-key")
    def scan_key(self, request: Request, pk: int) -> Response:
        """Forget the pinned host key and read the one that the host presents now.

        It needs a fresh login or a token that may wipe.
        """
        services.host_key_scan_request(host=self.get_object(), user=self._user)
        return self._answer(pk)

    @extend_schema(request=HostClusterSerializer, responses=HostSerializer)
    @action(detail=True, methods=["post"])
    def cluster(self, request: Request, pk: int) -> Response:
        """Confirm the reported Ceph cluster, declare it distinct, or set how daemons restart.

        `accept`: the fsid to confirm. `distinct`: it is not the cluster of other hosts with this
        fsid. `disturbances`: runs may disturb it.
        """
        values, host = validated_body(HostClusterSerializer, request), self.get_object()
        if "restart" in values or "disturbances" in values:  # hosts run commands as root
            require_wipe_right(request)
        if "accept" in values:
            services.host_cluster_accept(host=host, fsid=values["accept"], user=self._user)
        if "distinct" in values:
            services.host_cluster_set_distinct(
                host=host, is_distinct=values["distinct"], user=self._user
            )
        if "restart" in values:
            services.host_cluster_restart(
                host=host,
                restart=values["restart"],
                command=values.get("command", ""),
                daemon=values.get("daemon", "osd"),
                user=self._user,
            )
        if "disturbances" in values:
            services.host_cluster_disturbances(
                host=host,
                allowed=values["disturbances"],
                stop=values.get("stop", ""),
                start=values.get("start", ""),
                user=self._user,
            )
        return self._answer(pk)

    @extend_schema(request=InstallSerializer, responses=HostSerializer)
    @action(detail=True, methods=["post"])
    def install(self, request: Request, pk: int) -> Response:
        """Install a tool with the host's package manager."""
        values = validated_body(InstallSerializer, request)
        services.tool_install_request(host=self.get_object(), tool=values["tool"], user=self._user)
        return self._answer(pk)

    @property
    def _user(self) -> User:
        return user_of(self.request)

    def _answer(self, pk: int) -> Response:
        return Response(self.get_serializer(self.get_queryset().get(pk=pk)).data)


def _new_key(values: Validated) -> services.NewKey | None:
    if values.get("private_key") or values.get("generate_key"):
        return services.NewKey(values.get("private_key", ""), values.get("passphrase", ""))
    return None
