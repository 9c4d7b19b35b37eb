"""Looking at a host: asked by people, done by a worker, stored here."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.services import audit_record
from apps.common.errors import Refused
from apps.inventory.facts import cleaned, stable_part
from apps.inventory.hints import send
from apps.inventory.models import Host, HostFacts
from apps.inventory.selectors import INSTALLABLE
from apps.inventory.services.disks import disks_sync
from apps.inventory.services.rights import require_reachable, require_role

# Latency is measured on the host alone; a clock that is off only confuses those who read its logs.
TOLERATED_CLOCK_OFFSET = 1.0


@transaction.atomic
def host_check_request(*, host: Host, user: User) -> None:
    """Ask a worker to look at the host now. Raises Refused for a host that is switched off or only
    in the archive."""
    require_role(user, Role.OPERATOR)
    require_reachable(host)
    if not host.enabled:
        raise Refused(_("%(name)s is switched off.") % {"name": host.name})
    audit_record(user=user, verb="check", subject=host)
    check_ask(host)


def check_ask(host: Host) -> None:
    """Note in the row that a check is wanted, and hint when that is committed. Nothing for a host
    that is only in the archive."""
    if not host.is_reachable_kind:
        return
    host.check_requested_at = timezone.now()
    Host.objects.filter(pk=host.pk).update(check_requested_at=host.check_requested_at)
    transaction.on_commit(partial(send, "execution.check_host", host.pk))


def check_done(host: Host) -> None:
    """The check that `host`, as the worker read it, asked for is over. One asked for since
    stays."""
    asked = Host.objects.filter(pk=host.pk, check_requested_at=host.check_requested_at)
    asked.update(check_requested_at=None)


@transaction.atomic
def tool_install_request(*, host: Host, tool: str, user: User) -> None:
    """Ask a worker to install a tool ("fio", "iozone") of the agent's short list with the host's
    package manager."""
    require_role(user, Role.ADMIN)
    if tool not in INSTALLABLE:
        raise Refused(_("benchlab does not install this."), {"tool": _("Unknown.")}, status=400)
    require_reachable(host)
    if not host.enabled:
        raise Refused(_("%(name)s is switched off.") % {"name": host.name})
    if host.become == Host.Become.USER:
        raise Refused(_("Installing needs root, and benchlab has no root on this host."))
    Host.objects.filter(pk=host.pk).update(install_requested=INSTALLABLE[tool], install_log="")
    audit_record(user=user, verb="install", subject=host, tool=tool)
    check_ask(host)


@transaction.atomic
def host_check_store(
    *, host: Host, facts: dict[str, Any], round_trip: float, clock_offset: float
) -> None:
    """A check that succeeded. `round_trip` and `clock_offset` (host minus benchlab) in seconds."""
    row = facts_store(host=host, data=facts)
    disks_sync(host=host, facts=facts)
    late = abs(clock_offset) > TOLERATED_CLOCK_OFFSET
    Host.objects.filter(pk=host.pk).update(
        facts=row,
        health=Host.Health.WARNING if late else Host.Health.OK,
        health_text=_clock_text(clock_offset) if late else "",
        health_kind="clock" if late else "",
        checked_at=timezone.now(),
        round_trip=round_trip,
        clock_offset=clock_offset,
    )
    check_done(host)


@transaction.atomic
def host_check_failed(*, host: Host, kind: str, message: str) -> None:
    """A check that did not get through; `kind` is that of apps.remote.errors. What was asked to be
    installed is not: done at some later time it would surprise whoever then uses the host."""
    Host.objects.filter(pk=host.pk).update(
        health=Host.Health.UNREACHABLE,
        health_kind=kind[:20],
        health_text=message,
        checked_at=timezone.now(),
    )
    if host.install_requested:
        host_install_store(host=host, log=message, exit_code=-1)
    check_done(host)


@transaction.atomic
def host_install_store(*, host: Host, log: str, exit_code: int) -> None:
    """What the package manager said, and how it ended (-1: it was never started)."""
    if exit_code == 0:
        ending = _("Installed.")
    elif exit_code < 0:
        ending = _("Not installed.")
    else:
        ending = _("Failed with exit code %(code)d.") % {"code": exit_code}
    text = f"{log.rstrip()}\n\n{ending}".replace("\0", "")
    same = Host.objects.filter(pk=host.pk, install_requested=host.install_requested)
    same.update(install_requested="", install_log=text)
    host.install_requested = ""


@transaction.atomic
def facts_store(*, host: Host, data: dict[str, Any]) -> HostFacts:
    """The row for these facts: a new one when something that matters changed, else the one that is
    there, seen again now. The host points at it."""
    data = cleaned(data)
    text = json.dumps(stable_part(data), sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    row, made = HostFacts.objects.get_or_create(host=host, digest=digest, defaults={"data": data})
    if not made:
        row.save(update_fields=["last_seen_at"])
    Host.objects.filter(pk=host.pk).update(facts=row)
    return row


def _clock_text(offset: float) -> str:
    side = _("ahead of") if offset > 0 else _("behind")
    return _("Its clock is %(seconds).1f s %(side)s benchlab's; does it run an NTP client?") % {
        "seconds": abs(offset),
        "side": side,
    }
