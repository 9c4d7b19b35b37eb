"""Requests for checks of hosts."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.utils import timezone

from apps.common.hints import send
from apps.inventory.models import Host


def check_ask(host: Host) -> None:
    """Store a check request and send a hint on commit; do nothing for a host of the archive."""
    if not host.is_reachable_kind:
        return
    host.check_requested_at = timezone.now()
    Host.objects.filter(pk=host.pk).update(check_requested_at=host.check_requested_at)
    transaction.on_commit(partial(send, "execution.check_host", host.pk))
