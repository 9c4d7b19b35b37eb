"""Directories, pools, groups and host pairs in the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    ExtraKeywords,
    StrictModelSerializer,
    StrictSerializer,
)
from apps.inventory.models import (
    Directory,
    GroupMember,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.inventory.selectors.inventory import member_value
from apps.inventory.selectors.osd_hosts import pool_osd_hosts
from apps.inventory.services.groups import MAX_MEMBERS


class MembersField(serializers.ListField):
    """A group's disks or directories as values such as "disk:12"."""

    child = serializers.CharField(max_length=40)

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_MEMBERS, **options)

    def to_representation(self, data: Iterable[GroupMember]) -> list[str]:
        return [member_value(row) for row in data]


class DirectorySerializer(StrictModelSerializer[Directory]):
    owner = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = Directory
        fields = ["id", "host", "path", "owner", "team", "created_at", "updated_at"]
        # The service validates, with the same messages as on the page.
        validators: list[Any] = []


class OsdHostSerializer(StrictSerializer):
    """An OSD host of a pool, by its name in the cluster.

    `host` is null if benchlab has no host with this name and address. `devices`: kernel names.
    """

    name = serializers.CharField()
    host = serializers.IntegerField(source="host_id", allow_null=True)
    osds = serializers.ListField(child=serializers.IntegerField(), source="numbers")
    devices = serializers.ListField(child=serializers.CharField())


class PoolSerializer(StrictModelSerializer[Pool]):
    """A Ceph pool; `host` and `clients` write at the same time.

    The layout (`pg_num`, `pool_type`, `replicas`, `k`, `m`, `failure_domain`) applies only with
    `is_ephemeral`; `replicas` null: the default of the cluster. `monitor_osd_hosts`: reachable OSD
    hosts take part in each test to record CPU, memory and network. `cluster`: the id of the host's
    Ceph cluster; null while unknown, or while another entry has this pool of the cluster.
    """

    owner = serializers.CharField(source="owner.username", read_only=True)
    osd_hosts = serializers.SerializerMethodField(
        help_text="The OSD hosts at the last check of a client."
    )

    class Meta:
        model = Pool
        fields = [
            *(
                "id",
                "name",
                "host",
                "cluster",
                "clients",
                "is_ephemeral",
                "pg_num",
                "pool_type",
                "replicas",
            ),
            *("k", "m", "failure_domain", "monitor_osd_hosts", "osd_hosts", "owner", "team"),
            *("created_at", "updated_at"),
        ]
        read_only_fields = ["cluster"]
        # The service validates, with the same messages as on the page.
        validators: list[Any] = []

    @extend_schema_field(OsdHostSerializer(many=True))
    def get_osd_hosts(self, pool: Pool) -> Any:
        return OsdHostSerializer(pool_osd_hosts(pool), many=True).data


class GroupSerializer(StrictModelSerializer[TargetGroup]):
    """A target group.

    `members`: at least two values such as "disk:12", or such as "directory:3"; `member_kind`: their
    kind.
    """

    members = MembersField()
    member_kind = serializers.CharField(read_only=True, help_text="disk or directory")
    owner = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = TargetGroup
        fields = [
            *("id", "name", "member_kind", "members", "level", "owner", "team"),
            *("created_at", "updated_at"),
        ]
        # As above.
        extra_kwargs: ExtraKeywords = {"name": {"validators": []}}


class PairSerializer(StrictModelSerializer[HostPair]):
    """A host pair; `target` is its value in a plan, `address` that of the server for the client."""

    target = serializers.SerializerMethodField()
    client_name = serializers.CharField(source="client.name", read_only=True)
    server_name = serializers.CharField(source="server.name", read_only=True)
    address = serializers.CharField(read_only=True)

    class Meta:
        model = HostPair
        fields = [
            *("id", "target", "client", "client_name", "server", "server_name", "address"),
            *("created_at", "updated_at"),
        ]
        read_only_fields = fields

    def get_target(self, pair: HostPair) -> str:
        return f"pair:{pair.client_id}-{pair.server_id}"
