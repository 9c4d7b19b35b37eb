"""Hosts and targets in the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    ExtraKeywords,
    SchemaSerializerField,
    StrictModelSerializer,
    StrictSerializer,
)
from apps.inventory.domain.fingerprints import content_status
from apps.inventory.models import (
    CephCluster,
    Directory,
    Disk,
    DiskModel,
    DiskSpecification,
    GroupMember,
    Host,
    HostPair,
    Pool,
    TargetGroup,
)
from apps.inventory.selectors.inventory import INSTALLABLE, fingerprint, member_value
from apps.inventory.selectors.osd_hosts import pool_osd_hosts
from apps.inventory.services.groups import MOST_MEMBERS


class LentSettingSerializer(StrictSerializer):
    """A setting that is not as it was: of which disk or section, what it was, what the test asked
    for, what it is.
    """

    kind = serializers.CharField(help_text="queue, sysctl or ceph")
    identity = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    original = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)
    found = serializers.CharField(allow_blank=True)


class UnrestoredSettingsSerializer(StrictSerializer):
    """Settings that an ended attempt could not give back, as of the last check. `since` in seconds
    since 1970 UTC; no `settings`: they are back, only the host's journal says otherwise.
    """

    attempt = serializers.CharField()
    since = serializers.FloatField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    case = serializers.IntegerField(
        allow_null=True, default=None, help_text="The attempt's case, where it is known."
    )
    settings = LentSettingSerializer(many=True)


class CephClusterSerializer(StrictModelSerializer[CephCluster]):
    """A Ceph cluster, shared by all hosts that report its fsid. `is_distinct`: a copied cluster,
    used by one host. `checked_at`: the last check of a client, UTC.
    """

    osd_restart_mode = serializers.CharField(
        read_only=True, help_text="unit or command; empty: tunings may not restart OSDs."
    )

    class Meta:
        model = CephCluster
        fields = [
            *("id", "fsid", "is_distinct", "osd_restart_mode", "osd_restart_command"),
            "checked_at",
        ]
        read_only_fields = fields


class HostSerializer(StrictModelSerializer[Host]):
    """`private_key` (with `passphrase`) and `generate_key` make a new key for the host; neither is
    ever answered. Times are UTC, `round_trip_seconds` and `clock_offset` seconds.
    """

    private_key = serializers.CharField(
        write_only=True, required=False, max_length=20_000, trim_whitespace=False
    )
    passphrase = serializers.CharField(
        write_only=True, required=False, max_length=1000, trim_whitespace=False
    )
    generate_key = serializers.BooleanField(write_only=True, required=False)
    public_key = serializers.SerializerMethodField()
    host_key_fingerprint = serializers.SerializerMethodField()
    presented_key_fingerprint = serializers.SerializerMethodField()
    facts = serializers.SerializerMethodField()
    unrestored_settings = UnrestoredSettingsSerializer(many=True, read_only=True)
    cluster = CephClusterSerializer(
        read_only=True,
        allow_null=True,
        help_text="The Ceph cluster that its runs claim. If `reported_fsid` differs, an admin must "
        "confirm it.",
    )

    class Meta:
        model = Host
        fields = [
            *("id", "name", "kind", "address", "port", "user", "privilege_mode", "key_source"),
            *(
                "credential",
                "jump",
                "network_test_address",
                "tags",
                "enabled",
                "health",
                "health_kind",
                "health_text",
            ),
            *("cluster", "reported_fsid", "fsid_error"),
            *(
                "checked_at",
                "check_requested_at",
                "round_trip_seconds",
                "clock_offset",
                "unrestored_settings",
            ),
            *("facts", "host_key_fingerprint", "presented_key_fingerprint", "public_key"),
            *("private_key", "passphrase", "generate_key", "created_at", "updated_at"),
        ]
        read_only_fields = [
            *("health_kind", "health_text", "checked_at", "check_requested_at"),
            *("reported_fsid", "fsid_error"),
        ]

    def get_public_key(self, host: Host) -> str:
        return host.credential.public_key if host.credential else ""

    @extend_schema_field({"type": "object", "additionalProperties": {}, "nullable": True})
    def get_facts(self, host: Host) -> Any:
        return host.facts.facts if host.facts else None

    def get_host_key_fingerprint(self, host: Host) -> str:
        return fingerprint(host.host_key)

    def get_presented_key_fingerprint(self, host: Host) -> str:
        return fingerprint(host.presented_host_key)


class AcceptKeySerializer(StrictSerializer):
    fingerprint = serializers.CharField(
        max_length=100, help_text="As shown in presented_key_fingerprint, after comparing it."
    )


class HostClusterSerializer(StrictSerializer):
    accept = serializers.CharField(
        max_length=36, required=False, help_text="As shown in reported_fsid: that cluster is right."
    )
    distinct = serializers.BooleanField(
        required=False, help_text="Its cluster is not that of other hosts with the same fsid."
    )
    restart = serializers.ChoiceField(
        choices=CephCluster.RestartMode.choices,
        required=False,
        allow_blank=True,
        help_text="Whether and how tunings may restart its OSDs; empty: they may not.",
    )
    command = serializers.CharField(
        max_length=300,
        required=False,
        help_text="The command, {id} for the number of the OSD: systemctl restart ceph-osd@{id}.",
    )


class DistinctDeviceSerializer(StrictSerializer):
    distinct = serializers.BooleanField()


class InstallSerializer(StrictSerializer):
    tool = serializers.ChoiceField(choices=sorted(INSTALLABLE))


class DiskSpecificationSerializer(StrictModelSerializer[DiskSpecification]):
    """What differs from the disk's model: promised operations/s and bytes/s, and parts of an
    operation in ms; null: as the model.
    """

    class Meta:
        model = DiskSpecification
        fields = ["sla_iops", "sla_bandwidth", "seek_ms", "rotation_ms", "transfer_ms"]


class DiskModelSerializer(StrictModelSerializer[DiskModel]):
    """Promised operations/s and bytes/s of all disks of the model, and parts of an operation in
    ms.
    """

    disk_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = DiskModel
        fields = [
            *("id", "name", "vendor", "rotational", "disk_count"),
            *("sla_iops", "sla_bandwidth", "seek_ms", "rotation_ms", "transfer_ms"),
            *("created_at", "updated_at"),
        ]
        read_only_fields = ["name", "rotational"]


class DiskSerializer(StrictModelSerializer[Disk]):
    """`size` in bytes; `facts` is what the host said, as in docs/development/agent.md."""

    model: Any = serializers.SlugRelatedField(slug_field="name", read_only=True, allow_null=True)
    enrolled = serializers.BooleanField(source="is_enrolled", read_only=True)
    enrolled_by = serializers.CharField(
        source="enrolled_by.username", read_only=True, default=None, allow_null=True
    )
    obstacles = serializers.ListField(
        source="enrolment_obstacles", child=serializers.CharField(), read_only=True
    )
    facts = serializers.JSONField(read_only=True)
    content = serializers.SerializerMethodField(
        help_text="What it must hold when a test begins to write: as at the enrolment, as our last "
        "test left it, unfinished where that did not get to its end, or empty for anything."
    )
    preconditioning = SchemaSerializerField(
        read_only=True,
        help_text="The preparation it went through, while nothing else was written to it; null "
        "where nothing is known.",
    )
    specification = DiskSpecificationSerializer(read_only=True, default=None, allow_null=True)

    class Meta:
        model = Disk
        fields = [
            *("id", "host", "identity", "device_type", "device_path", "size", "model", "serial"),
            *("rotational", "last_seen_at", "enrolled", "enrolled_by", "enrolled_at", "obstacles"),
            *("facts", "content", "content_changed", "preconditioning"),
            *("is_distinct_device", "specification", "tags"),
        ]
        read_only_fields = [name for name in fields if name != "tags"]

    @extend_schema_field(
        serializers.ChoiceField(choices=["enrolment", "test", "unfinished"], allow_blank=True)
    )
    def get_content(self, disk: Disk) -> str:
        return content_status(disk.fingerprint)


class EnrolSerializer(StrictSerializer):
    confirm = serializers.CharField(max_length=400, help_text="The disk's identity.")


class MembersField(serializers.ListField):
    """A group's disks or directories as values such as "disk:12"."""

    child = serializers.CharField(max_length=40)

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MOST_MEMBERS, **options)

    def to_representation(self, data: Iterable[GroupMember]) -> list[str]:
        return [member_value(row) for row in data]


class DirectorySerializer(StrictModelSerializer[Directory]):
    owner = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = Directory
        fields = ["id", "host", "path", "owner", "team", "created_at", "updated_at"]
        # The service answers for what the model would check, in the same words as on the page.
        validators: list[Any] = []


class OsdHostSerializer(StrictSerializer):
    """A host behind a pool by the cluster's name for it; `host` is null where benchlab reaches none
    of that name and address. `devices`: the kernel's names.
    """

    name = serializers.CharField()
    host = serializers.IntegerField(source="host_id", allow_null=True)
    osds = serializers.ListField(child=serializers.IntegerField(), source="numbers")
    devices = serializers.ListField(child=serializers.CharField())


class PoolSerializer(StrictModelSerializer[Pool]):
    """`host` and `clients` write at the same time. The shape (`pg_num`, `kind`, `replicas`, `k`,
    `m`, `failure_domain`) counts only with `is_ephemeral`; `replicas` null: as the cluster does by
    default. `monitor_osd_hosts`: the hosts of its OSDs that benchlab reaches take part in each
    test, to tell of their CPUs, memory and networks. `cluster`: the id of the host's Ceph cluster;
    null while unknown, or while another entry has this pool of the cluster.
    """

    owner = serializers.CharField(source="owner.username", read_only=True)
    osd_hosts = serializers.SerializerMethodField(
        help_text="The hosts of the cluster's OSDs as the client last told of them."
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
        # The service answers for what the model would check, in the same words as on the page.
        validators: list[Any] = []

    @extend_schema_field(OsdHostSerializer(many=True))
    def get_osd_hosts(self, pool: Pool) -> Any:
        return OsdHostSerializer(pool_osd_hosts(pool), many=True).data


class GroupSerializer(StrictModelSerializer[TargetGroup]):
    """`members`: at least two values such as "disk:12", or such as "directory:3"; `member_kind`
    names their kind.
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
    """`target` is what a plan calls it; `address` is where the client finds the server."""

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
