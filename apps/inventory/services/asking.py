"""Asking a worker to look at a host."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.utils import timezone

from apps.common.hints import send
from apps.inventory.models import Host


def check_ask(host: Host) -> None:
    """Note in the row that a check is wanted, and hint when that is committed. Nothing for a host
    that is only in the archive.
    """
    if not host.is_reachable_kind:
        return
    host.check_requested_at = timezone.now()
    Host.objects.filter(pk=host.pk).update(check_requested_at=host.check_requested_at)
    transaction.on_commit(partial(send, "execution.check_host", host.pk))
