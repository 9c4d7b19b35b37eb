"""Create, change and delete alerts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.readers import text_for
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.alerts.domain.receivers import RECEIVERS
from apps.alerts.domain.webhooks import is_inner_address
from apps.alerts.models import CONDITIONS, ENDED_STATES, Alert, AlertNotification
from apps.alerts.selectors.alerts import scope_faults, webhook_faults
from apps.analysis.queries.schemas import StoredQuery
from apps.analysis.registry import VIEWS
from apps.common.database.encryption import SecretUnreadable, reencrypt
from apps.common.domain.preferences import zones
from apps.common.errors import ServiceError
from apps.common.hints import send

Fields = Mapping[str, Any]
"""Values of an alert's fields by name, validated by forms and serializers."""
OWN = (
    *("name", "enabled", "team", "plan", "run", "run_team", "on_ended", "only_worse", *CONDITIONS),
    *("mail", "webhook", "quiet_from", "quiet_to", "quiet_zone"),
)
MAX_ADDRESSES = 20


def alert_save(*, user: User, fields: Fields, alert: Alert | None = None) -> Alert:
    """Create an alert of `user`, or change `alert`.

    An empty `webhook_address` or `webhook_secret` keeps the stored one; a kind without signature
    has no secret. Another address removes the stored secret, which is for the old receiver only.
    A refused inner address is audited. Raises: PermissionDenied; ServiceError (400).
    """
    try:
        with transaction.atomic():
            if alert is None:
                require_role(user, Role.OPERATOR)
                return _saved(Alert(owner=user), user, fields, "create")
            return _saved(lock_editable(alert, user), user, fields, "change")
    except ServiceError as error:
        address = str(fields.get("webhook_address") or "")
        if "webhook_address" in error.fields and is_inner_address(address):
            host = urlsplit(address).hostname
            audit_record(user=user, action="refuse", subject=alert or "alert", webhook=host)
        raise


def _saved(row: Alert, user: User, fields: Fields, action: str) -> Alert:
    if fields.get("enabled", True) and not row.enabled:
        row.evaluated_until = (
            timezone.now()
        )  # runs that ended while it was disabled are not reported
    team_error = team_fault(fields.get("team", row.team), user, row)
    for name in OWN:
        if name in fields:
            setattr(row, name, fields[name])
    address, secret = _webhook_credentials(row, fields)
    wrong = _query_set(row, fields) | _faults(row) | scope_faults(row)
    if team_error:
        wrong["team"] = team_error
    wrong |= webhook_faults(row.webhook, address, fields.get("webhook_secret") or "")
    if wrong:
        raise ServiceError(next(iter(wrong.values())), wrong, status=400)
    row.on_ended = [value for value, _label in ENDED_STATES if value in row.on_ended]
    row.save()
    row.webhook_set(address, secret)
    row.save()
    audit_record(
        user=user, action=action, subject=row, webhook=row.webhook_host, mail=row.addresses
    )
    return row


@transaction.atomic
def alert_delete(*, alert: Alert, user: User) -> None:
    """Delete the alert and its notifications. Raises: PermissionDenied."""
    alert = lock_editable(alert, user)
    audit_record(user=user, action="delete", subject=alert)
    alert.delete()


@transaction.atomic
def alert_send_test(*, alert: Alert, user: User) -> AlertNotification:
    """Create a test notification and request an evaluation, which sends it.

    Without the broker the evaluation of the next minute sends it.
    """
    alert = lock_editable(alert, user)
    with text_for(alert.owner):
        text = _("Test of the alert “{name}” by {user}.")
    line = text.format(name=alert.name, user=user.username)
    transaction.on_commit(lambda: send("alerts.evaluate"))
    return AlertNotification.objects.create(alert=alert, text_lines=[line])


@transaction.atomic
def alert_reencrypt(*, alert: Alert) -> None:
    """Encrypt the webhook's address and secret with the newest key. Raises: SecretUnreadable."""
    row = Alert.objects.select_for_update().get(pk=alert.pk)
    row.webhook_address = reencrypt(row.webhook_address) if row.webhook_address else None
    row.webhook_secret = reencrypt(row.webhook_secret) if row.webhook_secret else None
    row.save(update_fields=["webhook_address", "webhook_secret", "updated_at"])


def _webhook_credentials(row: Alert, fields: Fields) -> tuple[str, str]:
    """Return the address and the secret of the row after the change."""
    if not row.webhook:
        return "", ""
    try:
        stored = row.webhook_credentials() if row.webhook_address else ("", "")
    except SecretUnreadable:
        stored = ("", "")  # both are entered again
    address = fields.get("webhook_address") or stored[0]
    stored_secret = stored[1] if address == stored[0] else ""
    secret = (fields.get("webhook_secret") or stored_secret) if RECEIVERS[row.webhook].sign else ""
    return address, secret


def _faults(row: Alert) -> dict[str, str]:
    wrong = {}
    if (row.quiet_from is None) != (row.quiet_to is None):
        wrong["quiet_to"] = _("Quiet hours have a beginning and an end.")
    if row.quiet_zone not in zones():
        wrong["quiet_zone"] = _("There is no such time zone.")
    wrong |= _mail_faults(row)
    if not row.addresses and not row.webhook:
        wrong["mail"] = _("Enter a recipient: an e-mail address, a webhook, or both.")
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
    if len(row.addresses) > MAX_ADDRESSES:
        return {"mail": _("At most {n} addresses.").format(n=MAX_ADDRESSES)}
    for one in row.addresses:
        try:
            validate_email(one)
        except ValidationError:
            return {"mail": _("{address} is no e-mail address.").format(address=one)}
    return {}
