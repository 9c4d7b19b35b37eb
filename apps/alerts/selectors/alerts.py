"""Queries of alerts."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.alerts.domain.receivers import RECEIVERS, receiver_fault
from apps.alerts.domain.webhooks import address_fault, inner_address_fault
from apps.alerts.models import ENDED_STATES, Alert
from apps.analysis.registry import VIEWS
from apps.common.errors import ServiceError


def alerts_visible() -> QuerySet[Alert]:
    """Return every alert with its owner; any user may see all but their secrets."""
    related = ("owner", "team", "plan", "run", "run_team")
    return Alert.objects.select_related(*related).order_by("-pk")


def alerts_abandoned() -> QuerySet[Alert]:
    """Return alerts of owners who may not log in, without a team in which somebody may."""
    members = User.objects.filter(teams=OuterRef("team"), is_active=True)
    return Alert.objects.filter(~Exists(members), owner__is_active=False)


def query_error(alert: Alert) -> str:
    """Return which filters of the stored query are invalid; empty for a valid one."""
    if not alert.view:
        return ""
    try:
        VIEWS[alert.view].parse(QueryDict(alert.query))
    except ServiceError as error:
        return error.message
    return ""


def scope_faults(alert: Alert) -> dict[str, str]:
    """Return what is wrong with the scope and the end that an alert waits for, by field."""
    scopes = {"plan": alert.plan, "run": alert.run, "run_team": alert.run_team}
    chosen = [name for name, row in scopes.items() if row is not None]
    wrong = {}
    if len(chosen) + bool(alert.view) > 1:
        wrong[chosen[-1]] = _("Choose one of view, plan, run and team.")
    if alert.run is not None and alert.run.is_final and alert.enabled:
        wrong["run"] = _("This run has ended already.")
    if set(alert.on_ended) - {value for value, _label in ENDED_STATES}:
        wrong["on_ended"] = _("A run ends in one of these states: {states}.").format(
            states=", ".join(value for value, _label in ENDED_STATES)
        )
    if alert.only_worse and not alert.on_ended:
        wrong["only_worse"] = _("Choose which ends of runs are notified, too.")
    return wrong


def webhook_faults(kind: str, address: str, secret: str) -> dict[str, str]:
    """Return what is wrong with a webhook, by field. `secret`: a new one."""
    if not kind:
        return {}
    if not address:
        return {"webhook_address": _("A webhook has an address.")}
    fault = address_fault(address) or inner_address_fault(address) or receiver_fault(kind, address)
    if fault:
        return {"webhook_address": fault}
    if secret and RECEIVERS[kind].sign is None:
        text = _("{name} has no signature. Leave the secret empty.")
        return {"webhook_secret": text.format(name=RECEIVERS[kind].name)}
    return {}
