"""Hosts from a list: all rows are stored together or none."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.database.locks import advisory_lock
from apps.common.errors import ServiceError
from apps.inventory.models import Credential, Host, HostBatch
from apps.inventory.selectors.host_plan import (
    AGENT,
    CHANGED,
    NEW,
    NEW_KEY,
    REFUSED,
    HostPlan,
    ListOptions,
    PlannedRow,
    plan_hosts,
)
from apps.inventory.services.asking import check_ask
from apps.inventory.services.credentials import credential_create
from apps.inventory.services.host_authorities import host_authorities_add
from apps.inventory.services.host_keys import host_key_trust
from apps.inventory.services.hosts import HostDraft, free_key_name, host_create, host_update
from apps.inventory.services.owned_rows import require_reachable

LOCK = "inventory.host_batch"
SHOWN_FAULTS = 20


@transaction.atomic
def host_batch_create(
    *,
    user: User,
    options: ListOptions,
    names: Collection[str] | None = None,
    tokens: Mapping[str, str] | None = None,
) -> HostBatch:
    """Add and change the hosts of a list, or the rows with these names, and request their checks.

    `tokens`: what the preview showed of each row; a row that differs now is refused.
    Raises: ServiceError (400) with the faults of rows, (409) for a row that differs;
    PermissionDenied below admin. Nothing is stored then.
    """
    require_role(user, Role.ADMIN)
    advisory_lock(LOCK)
    plan = plan_hosts(options)
    rows = _chosen(plan, names)
    _require_usable(rows, tokens)
    batch = HostBatch.objects.create(form=plan.form, created_by=user)
    batch.credential = _new_credential(rows, user)
    batch.save(update_fields=["credential", "updated_at"])
    hosts: dict[str, Host] = {}
    for row in _jumps_first(rows):
        hosts[row.name] = _store(row, hosts, batch.credential, user)
    batch.hosts.set(hosts.values())
    host_authorities_add(user=user, authorities=plan.authorities, revoked=plan.revoked)
    audit_record(user=user, action="add hosts", subject=batch, form=plan.form, hosts=sorted(hosts))
    return batch


def _chosen(plan: HostPlan, names: Collection[str] | None) -> list[PlannedRow]:
    if names is None:
        return plan.rows
    wanted = set(names)
    usable = {row.name for row in plan.rows if row.state != REFUSED}
    # A second row of a name is refused; the name selects the first one.
    rows = [
        row
        for row in plan.rows
        if row.name in wanted and (row.state != REFUSED or row.name not in usable)
    ]
    missing = wanted - {row.name for row in rows}
    if missing:
        text = _("The list has no host %(name)s.") % {"name": min(missing)[:64]}
        raise ServiceError(text, {"names": text}, status=400)
    if not rows:
        raise ServiceError(_("No host is selected."), status=400)
    return rows


def _require_usable(rows: list[PlannedRow], tokens: Mapping[str, str] | None) -> None:
    """Raise ServiceError for refused rows, missing jump hosts, and rows that changed."""
    names = {row.name for row in rows}
    faults = [f"{row.name or '–'}: {' '.join(row.errors)}" for row in rows if row.state == REFUSED]
    for row in rows:
        jump = row.values.get("jump_name")
        if jump and row.state != REFUSED and jump not in names and not _exists(jump):
            text = _("select its jump host %(jump)s as well.") % {"jump": jump}
            faults.append(f"{row.name}: {text}")
    if faults:
        text = _("Rows that cannot be used: %(count)d. Nothing is stored.") % {"count": len(faults)}
        raise ServiceError(text, {"rows": faults[:SHOWN_FAULTS]}, status=400)
    if tokens is not None and any(tokens.get(row.name) != row.token for row in rows):
        raise ServiceError(
            _("A row differs from the preview, because the list or a host changed. Look again.")
        )


def _exists(name: str) -> bool:
    return Host.objects.filter(name=name).exists()


def _new_credential(rows: list[PlannedRow], user: User) -> Credential | None:
    """Create the pair of the batch, if any of its hosts needs one."""
    stored = [row for row in rows if row.state in (NEW, CHANGED)]
    if not any(row.values["key_name"] == NEW_KEY for row in stored):
        return None
    name = free_key_name(_("hosts of %(day)s") % {"day": timezone.now().date()})
    return credential_create(user=user, name=name)


def _jumps_first(rows: list[PlannedRow]) -> list[PlannedRow]:
    """Return rows in an order in which each jump host precedes those that use it."""
    by_name = {row.name: row for row in rows}
    done: dict[str, PlannedRow] = {}

    def add(row: PlannedRow) -> None:
        jump = by_name.get(row.values["jump_name"])
        if jump is not None and jump.name not in done:
            add(jump)
        done[row.name] = row

    for row in sorted(rows, key=lambda one: one.name):
        if row.name not in done:
            add(row)
    return list(done.values())


def _store(
    row: PlannedRow, stored: Mapping[str, Host], credential: Credential | None, user: User
) -> Host:
    host = row.host
    if row.state == NEW:
        host = host_create(user=user, draft=_draft(row, stored, credential))
    elif row.state == CHANGED and host is not None and _changes_more_than_trust(row):
        host = host_update(host=host, user=user, draft=_draft(row, stored, credential))
    assert host is not None, "a row that is not new has a host"
    if row.host_key and not host.host_key:
        host = host_key_trust(host=host, line=row.host_key, user=user, source="known_hosts")
    return host


def _changes_more_than_trust(row: PlannedRow) -> bool:
    return any(name != "host key" for name, _before, _after in row.changes)


def _draft(row: PlannedRow, stored: Mapping[str, Host], credential: Credential | None) -> HostDraft:
    values = row.values
    jump = values["jump_name"]
    key = values["key_name"]
    return HostDraft(
        name=values["name"],
        kind=Host.Kind.SSH,
        address=values["address"],
        port=values["port"],
        user=values["user"],
        privilege_mode=values["privilege_mode"],
        key_source=Host.KeySource.AGENT if key == AGENT else Host.KeySource.STORED,
        credential=credential if key == NEW_KEY else values["credential"],
        jump=(stored.get(jump) or Host.objects.get(name=jump)) if jump else None,
        network_test_address=values["network_test_address"],
        tags=values["tags"],
    )


@transaction.atomic
def host_batch_check(*, batch: HostBatch, user: User) -> int:
    """Request checks of all enabled hosts of a batch; return their number."""
    require_role(user, Role.OPERATOR)
    hosts = [host for host in batch.hosts.order_by("pk") if host.enabled and host.is_reachable_kind]
    for host in hosts:
        require_reachable(host)
        check_ask(host)
    audit_record(user=user, action="check", subject=batch, hosts=len(hosts))
    return len(hosts)
