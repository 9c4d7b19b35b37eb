"""Disks and disk models in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    SchemaSerializerField,
    StrictModelSerializer,
    StrictSerializer,
)
from apps.inventory.domain.fingerprints import content_status
from apps.inventory.domain.host_lists import MAX_BYTES as MAX_LIST_BYTES
from apps.inventory.models import (
    CatalogueEntry,
    Disk,
    DiskModel,
    DiskSpecification,
)
from apps.inventory.schemas.backing_arrays import MAX_BYTES, MAX_DISKS, MIN_DISKS
from apps.inventory.schemas.catalogue import FIELDS as CATALOGUE_FIELDS


class DistinctDeviceSerializer(StrictSerializer):
    distinct = serializers.BooleanField()


class DiskSpecificationSerializer(StrictModelSerializer[DiskSpecification]):
    """The figures of a disk that differ from its model; null: as the model.

    Promised operations/s and bytes/s, and parts of an operation in ms.
    """

    class Meta:
        model = DiskSpecification
        fields = ["sla_iops", "sla_bandwidth", "seek_ms", "rotation_ms", "transfer_ms"]


class BackingArraySerializer(StrictSerializer):
    """The array that a host sees as one disk; a level of "" removes it."""

    level = serializers.ChoiceField(choices=["", *MIN_DISKS], help_text='"" removes the array.')
    disks = serializers.IntegerField(
        min_value=1, max_value=MAX_DISKS, required=False, help_text="All, without spares."
    )
    disk_model = serializers.CharField(max_length=120, required=False, allow_blank=True)
    chunk_bytes = serializers.IntegerField(
        min_value=1, max_value=MAX_BYTES, required=False, allow_null=True
    )
    cache_bytes = serializers.IntegerField(
        min_value=1, max_value=MAX_BYTES, required=False, allow_null=True
    )
    write_policy = serializers.ChoiceField(
        choices=["", "write_back", "write_through"], required=False
    )
    battery = serializers.BooleanField(required=False, allow_null=True)


class DiskModelSerializer(StrictModelSerializer[DiskModel]):
    """A disk model and its figures, which apply to all its disks.

    Promised operations/s and bytes/s, and parts of an operation in ms.
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


class CatalogueEntrySerializer(StrictModelSerializer[CatalogueEntry]):
    """What a maker states about disks whose model fits `pattern`; null: not stated.

    Rates in bytes/s, `rated_terabytes_written` in 10^12 bytes.
    """

    class Meta:
        model = CatalogueEntry
        fields = ["id", *CATALOGUE_FIELDS, "created_at", "updated_at"]


class CatalogueTextSerializer(StrictSerializer):
    text = serializers.CharField(
        max_length=MAX_LIST_BYTES, trim_whitespace=False, help_text="CSV as the page exports it."
    )


class CatalogueImportSerializer(StrictSerializer):
    created = serializers.IntegerField()
    changed = serializers.IntegerField()
    same = serializers.IntegerField()


class DiskSerializer(StrictModelSerializer[Disk]):
    """A disk; `size` in bytes, `facts` as reported by the agent (docs/development/agent.md)."""

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
    backing = SchemaSerializerField(
        read_only=True, help_text="The array behind this disk as entered; null without one."
    )
    array = SchemaSerializerField(
        read_only=True,
        help_text="The array that applies: as entered, else as read from the host (`source`).",
    )
    specification = DiskSpecificationSerializer(read_only=True, default=None, allow_null=True)

    class Meta:
        model = Disk
        fields = [
            *("id", "host", "identity", "device_type", "device_path", "size", "model", "serial"),
            *("rotational", "last_seen_at", "enrolled", "enrolled_by", "enrolled_at", "obstacles"),
            *("facts", "content", "content_changed", "preconditioning"),
            *("is_distinct_device", "backing", "array", "specification", "tags"),
        ]
        read_only_fields = [name for name in fields if name != "tags"]

    @extend_schema_field(
        serializers.ChoiceField(choices=["enrolment", "test", "unfinished"], allow_blank=True)
    )
    def get_content(self, disk: Disk) -> str:
        return content_status(disk.fingerprint)


class EnrolSerializer(StrictSerializer):
    confirm = serializers.CharField(
        max_length=400, help_text="The disk's identity, or its last 8 characters."
    )
