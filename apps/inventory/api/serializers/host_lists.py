"""Lists of hosts in the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions, serializers
from rest_framework.request import Request

from apps.common.api.serializers import StrictSerializer
from apps.inventory.domain.host_lists import FORMS, MAX_BYTES
from apps.inventory.models import Host, HostBatch
from apps.inventory.selectors.host_plan import STATES, HostPlan, PlannedRow
from apps.inventory.selectors.inventory import fingerprint

DRY_RUN = {"": False, "false": False, "true": True}


class BulkHostsSerializer(StrictSerializer):
    """A list of hosts, and values for new hosts that the list does not give."""

    text = serializers.CharField(
        max_length=MAX_BYTES, trim_whitespace=False, help_text="The list, at most 1000 hosts."
    )
    form = serializers.ChoiceField(
        choices=list(FORMS), required=False, allow_blank=True, help_text="Empty: by its content."
    )
    known_hosts = serializers.CharField(
        max_length=MAX_BYTES,
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text="Lines of a known_hosts file: the keys are pinned, @cert-authority is stored.",
    )
    user = serializers.CharField(max_length=32, required=False)
    port = serializers.IntegerField(min_value=1, max_value=65535, required=False)
    privilege_mode = serializers.ChoiceField(choices=Host.PrivilegeMode.choices, required=False)
    key = serializers.CharField(
        max_length=80,
        required=False,
        help_text="new (one pair for all new hosts), agent, or the name of a key.",
    )
    jump = serializers.CharField(
        max_length=64, required=False, allow_blank=True, help_text="The name of a host."
    )
    tags = serializers.ListField(
        child=serializers.SlugField(max_length=40, allow_unicode=True), required=False
    )
    names = serializers.ListField(
        child=serializers.CharField(max_length=64),
        required=False,
        max_length=1000,
        help_text="The rows to store; without it all of them.",
    )


class HostChangeSerializer(StrictSerializer):
    field = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class BulkRowSerializer(StrictSerializer):
    """A row of the list. `line` is 0 where the form has no lines."""

    line = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=list(STATES))
    host = serializers.IntegerField(
        allow_null=True, help_text="The id of the host; null if it does not exist."
    )
    address = serializers.CharField(allow_blank=True)
    port = serializers.IntegerField(allow_null=True)
    user = serializers.CharField(allow_blank=True)
    jump = serializers.CharField(allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField())
    changes = HostChangeSerializer(many=True)
    faults = serializers.ListField(
        child=serializers.CharField(), help_text="Why the row is refused."
    )
    notes = serializers.ListField(child=serializers.CharField())
    host_key_fingerprint = serializers.CharField(
        allow_blank=True, help_text="The key that known_hosts gives."
    )
    authority_fingerprint = serializers.CharField(
        allow_blank=True, help_text="The certificate authority that may vouch for the host."
    )


class BulkResultSerializer(StrictSerializer):
    """`batch`: the id for `hosts/?batch=` and `hosts/accept-keys/`; null after a dry run."""

    batch = serializers.IntegerField(allow_null=True)
    form = serializers.ChoiceField(choices=list(FORMS))
    notes = serializers.ListField(child=serializers.CharField())
    rows = BulkRowSerializer(many=True)


class ListedKeysSerializer(StrictSerializer):
    batch = serializers.PrimaryKeyRelatedField(queryset=HostBatch.objects.all())
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)


class RefusedKeySerializer(StrictSerializer):
    name = serializers.CharField()
    reason = serializers.CharField()


class AcceptedKeysSerializer(StrictSerializer):
    """Names of hosts whose key is pinned now, and why others are not trusted."""

    accepted = serializers.ListField(child=serializers.CharField())
    refused = RefusedKeySerializer(many=True)


def dry_run_parameter() -> OpenApiParameter:
    return OpenApiParameter("dry_run", bool, description="true: store nothing, show the rows.")


def is_dry_run(request: Request) -> bool:
    """Return the value of `?dry_run=`. Raises: ValidationError for another parameter or value."""
    unknown = set(request.query_params) - {"dry_run"}
    if unknown:
        raise exceptions.ValidationError({min(unknown): [_("There is no such filter.")]})
    value = request.query_params.get("dry_run", "")
    if value not in DRY_RUN:
        raise exceptions.ValidationError({"dry_run": [_("This is either true or false.")]})
    return DRY_RUN[value]


def bulk_result(plan: HostPlan, batch: HostBatch | None) -> dict[str, Any]:
    """Return the response: the rows as they were planned, with the ids of the hosts after it."""
    hosts = dict(batch.hosts.values_list("name", "pk")) if batch else {}
    return {
        "batch": batch.pk if batch else None,
        "form": plan.form,
        "notes": plan.notes,
        "rows": [_row(row, hosts) for row in plan.rows],
    }


def _row(row: PlannedRow, hosts: dict[str, int]) -> dict[str, Any]:
    values = row.values
    return {
        "line": row.line,
        "name": row.name,
        "state": row.state,
        "host": hosts.get(row.name, row.host.pk if row.host else None),
        "address": values.get("address", ""),
        "port": values.get("port"),
        "user": values.get("user", ""),
        "jump": values.get("jump_name", ""),
        "tags": values.get("tags", []),
        "changes": [
            {"field": name, "before": before, "after": after} for name, before, after in row.changes
        ],
        "faults": row.errors,
        "notes": row.notes,
        "host_key_fingerprint": fingerprint(row.host_key),
        "authority_fingerprint": row.authority,
    }
