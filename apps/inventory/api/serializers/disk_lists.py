"""Lists of disks to enrol in the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import StrictSerializer
from apps.inventory.domain.disk_lists import MAX_DISKS
from apps.inventory.domain.host_lists import MAX_BYTES
from apps.inventory.selectors.disk_list_plan import STATES, DiskListPlan, PlannedDisk


class EnrolListSerializer(StrictSerializer):
    """A list of disks. `confirm` is needed except for a dry run."""

    text = serializers.CharField(
        max_length=MAX_BYTES,
        trim_whitespace=False,
        help_text="CSV with the columns host, serial and optionally wwn, model, note.",
    )
    lines = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_BYTES),
        required=False,
        max_length=MAX_DISKS,
        help_text="The lines to enrol; without it all but those that are enrolled already.",
    )
    confirm = serializers.IntegerField(
        min_value=0,
        max_value=MAX_DISKS,
        required=False,
        help_text="The number of disks that are enrolled; another number refuses the list.",
    )


class EnrolListRowSerializer(StrictSerializer):
    """A row of the list as it was before the request. `disk`: the id of the disk it names."""

    line = serializers.IntegerField()
    host = serializers.CharField(allow_blank=True)
    serial = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=list(STATES))
    disk = serializers.IntegerField(allow_null=True)
    identity = serializers.CharField(allow_blank=True)
    faults = serializers.ListField(
        child=serializers.CharField(), help_text="Why the disk is not enrolled."
    )
    notes = serializers.ListField(child=serializers.CharField())


class EnrolListResultSerializer(StrictSerializer):
    notes = serializers.ListField(child=serializers.CharField())
    rows = EnrolListRowSerializer(many=True)


def enrol_list_result(plan: DiskListPlan) -> dict[str, Any]:
    """Return the response: the rows as they were planned."""
    return {"notes": plan.notes, "rows": [_row(row) for row in plan.rows]}


def _row(row: PlannedDisk) -> dict[str, Any]:
    return {
        "line": row.listed.line,
        "host": row.listed.host,
        "serial": row.listed.serial,
        "state": row.state,
        "disk": row.disk.pk if row.disk else None,
        "identity": row.disk.identity if row.disk else "",
        "faults": row.errors,
        "notes": row.notes,
    }
