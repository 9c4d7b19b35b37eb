"""Hosts and their Ceph clusters in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    StrictModelSerializer,
    StrictSerializer,
)
from apps.inventory.models import (
    CephCluster,
    Host,
)
from apps.inventory.selectors.inventory import INSTALLABLE, fingerprint
from apps.remote.agent.ceph.daemon_names import DAEMON_KINDS


class UnrestoredSettingSerializer(StrictSerializer):
    """A setting that differs from its original value.

    `identity`: its disk or section; `original`: before the test; `value`: requested; `found`: now.
    """

    kind = serializers.CharField(help_text="queue, sysctl or ceph")
    identity = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    original = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)
    found = serializers.CharField(allow_blank=True)


class UnrestoredSettingsSerializer(StrictSerializer):
    """Settings that an ended attempt could not restore, at the last check.

    `since`: seconds since 1970 UTC. No `settings`: they are restored, only the host's journal is
    open.
    """

    attempt = serializers.CharField()
    since = serializers.FloatField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    case = serializers.IntegerField(
        allow_null=True, default=None, help_text="The attempt's case, where it is known."
    )
    settings = UnrestoredSettingSerializer(many=True)


class CephClusterSerializer(StrictModelSerializer[CephCluster]):
    """A Ceph cluster, shared by all hosts that report its fsid.

    `is_distinct`: a copied cluster, used by one host. `checked_at`: the last check of a client,
    UTC.
    """

    osd_restart_mode = serializers.CharField(
        read_only=True, help_text="unit or command; empty: tunings may not restart OSDs."
    )
    mon_restart_mode = serializers.CharField(
        read_only=True, help_text="unit or command; empty: tunings may not restart monitors."
    )
    mds_restart_mode = serializers.CharField(
        read_only=True, help_text="unit or command; empty: tunings may not restart MDS."
    )

    class Meta:
        model = CephCluster
        fields = [
            *("id", "fsid", "is_distinct", "osd_restart_mode", "osd_restart_command"),
            *("mon_restart_mode", "mon_restart_command"),
            *("mds_restart_mode", "mds_restart_command", "checked_at"),
            *("disturbances_allowed_at", "osd_stop_command", "osd_start_command"),
        ]
        read_only_fields = fields


class HostSerializer(StrictModelSerializer[Host]):
    """A host. Times are UTC, `round_trip_seconds` and `clock_offset` are seconds.

    `private_key` (with `passphrase`) and `generate_key` create a key for the host; responses
    contain neither.
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
                "held_since",
                "hold_reason",
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
            *(
                "held_since",
                "hold_reason",
                "health_kind",
                "health_text",
                "checked_at",
                "check_requested_at",
            ),
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


class HoldSerializer(StrictSerializer):
    reason = serializers.CharField(max_length=200, help_text="Shown to others whose runs wait.")


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
        help_text="Whether and how tunings may restart such daemons; empty: they may not.",
    )
    daemon = serializers.ChoiceField(
        choices=DAEMON_KINDS, required=False, help_text="Which daemons; osd if left out."
    )
    command = serializers.CharField(
        max_length=300,
        required=False,
        help_text="The command, {id} for the daemon's id: systemctl restart ceph-osd@{id}.",
    )
    disturbances = serializers.BooleanField(
        required=False, help_text="Whether runs may disturb the cluster, after an approval each."
    )
    stop = serializers.CharField(
        max_length=300,
        required=False,
        allow_blank=True,
        help_text="The command that stops an OSD, {id} for its number; empty: its systemd unit.",
    )
    start = serializers.CharField(
        max_length=300,
        required=False,
        allow_blank=True,
        help_text="The command that starts it again.",
    )


class InstallSerializer(StrictSerializer):
    tool = serializers.ChoiceField(choices=sorted(INSTALLABLE))
