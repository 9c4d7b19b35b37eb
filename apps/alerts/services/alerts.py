"""Writes about alerts that people decide; `evaluate` finds causes and sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.alerts.domain.webhooks import address_fault
from apps.alerts.models import Alert, AlertMessage
from apps.analysis.queries.schemas import StoredQuery
from apps.analysis.registry import VIEWS
from apps.common.database.encryption import reencrypt
from apps.common.domain.preferences import zones
from apps.common.errors import ServiceError

Fields = Mapping[str, Any]
"""Values of an alert's fields by name; the forms and serializers decide their types."""
OWN = (
    *("name", "enabled", "team", "on_change", "on_missed", "on_failed"),
    *("on_unhealthy", "mail", "hook", "quiet_from", "quiet_to", "quiet_zone"),
)
MOST_ADDRESSES = 20


@transaction.atomic
def alert_save(*, user: User, fields: Fields, alert: Alert | None = None) -> Alert:
    """A new alert of `user`, or this one changed. `hook_address` and `hook_secret` are kept as they
    are where they are empty. Raises PermissionDenied, ServiceError (400).
    """
    if alert is None:
        require_role(user, Role.OPERATOR)
        row, verb = Alert(owner=user), "create"
    else:
        require_editable(alert, user)
        row, verb = Alert.objects.select_for_update().get(pk=alert.pk), "change"
    if fields.get("enabled", True) and not row.enabled:
        row.judged_to = timezone.now()  # what happened while it was off is nobody's news
    for name in OWN:
        if name in fields:
            setattr(row, name, fields[name])
    address, secret = fields.get("hook_address") or "", fields.get("hook_secret") or ""
    wrong = _query_set(row, fields) | _faults(row, user, address)
    if wrong:
        raise ServiceError(next(iter(wrong.values())), wrong, status=400)
    row.save()
    if not row.hook:
        row.hook_set("", "")
    elif address or secret:
        known = row.hook_told() if row.hook_address else ("", "")
        row.hook_set(address or known[0], secret or known[1])
    row.save()
    audit_record(user=user, action=verb, subject=row, hook=row.hook_host, mail=row.addresses)
    return row


@transaction.atomic
def alert_delete(*, alert: Alert, user: User) -> None:
    """The alert and its messages go. Raises PermissionDenied."""
    require_editable(alert, user)
    audit_record(user=user, action="delete", subject=alert)
    alert.delete()


@transaction.atomic
def alert_try(*, alert: Alert, user: User) -> AlertMessage:
    """A message that says it is a trial, sent with the others at the next look."""
    require_editable(alert, user)
    line = _("A trial of the alert “{name}” by {who}.").format(name=alert.name, who=user.username)
    return AlertMessage.objects.create(alert=alert, lines=[line])


@transaction.atomic
def alert_reencrypt(*, alert: Alert) -> None:
    """The hook's address and secret, encrypted with today's first key. Raises SecretUnreadable."""
    row = Alert.objects.select_for_update().get(pk=alert.pk)
    row.hook_address = reencrypt(row.hook_address) if row.hook_address else None
    row.hook_secret = reencrypt(row.hook_secret) if row.hook_secret else None
    row.save(update_fields=["hook_address", "hook_secret", "updated_at"])


def _faults(row: Alert, user: User, address: str) -> dict[str, str]:
    wrong = {}
    if text := team_fault(row.team, user):
        wrong["team"] = text
    if row.hook and not address and not row.hook_address:
        wrong["hook_address"] = _("A web hook has an address.")
    if address and (fault := address_fault(address)):
        wrong["hook_address"] = fault
    if (row.quiet_from is None) != (row.quiet_to is None):
        wrong["quiet_to"] = _("Quiet hours have a beginning and an end.")
    if row.quiet_zone not in zones():
        wrong["quiet_zone"] = _("There is no such time zone.")
    wrong |= _mail_faults(row)
    if not row.addresses and not row.hook:
        wrong["mail"] = _("Say where messages go: e-mail, a web hook, or both.")
    return wrong


def _query_set(row: Alert, fields: Fields) -> dict[str, str]:
    """Store the view and its canonical query. Return the error by field, if any."""
    view, query = fields.get("view", row.view), fields.get("query", row.query)
    if not view:
        row.stored_query = None
        return {}
    if not query:
        return {"query": _("Open a history or a fleet, and choose “Alert me” there.")}
    try:
        canonical = VIEWS[view].parse(QueryDict(query)).query
    except ServiceError as error:
        return {"query": error.message}
    row.stored_query = StoredQuery.from_query(view, canonical)
    return {}


def _mail_faults(row: Alert) -> dict[str, str]:
    if len(row.addresses) > MOST_ADDRESSES:
        return {"mail": _("At most {n} addresses.").format(n=MOST_ADDRESSES)}
    for one in row.addresses:
        try:
            validate_email(one)
        except ValidationError:
            return {"mail": _("{address} is no e-mail address.").format(address=one)}
    return {}
