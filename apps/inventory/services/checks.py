"""Checks of hosts: requested by users, made by workers, stored here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.schemas.storable import cleaned
from apps.common.services import names_touch
from apps.inventory.domain.facts import stable_part
from apps.inventory.domain.unrestored_settings import unrestored_text
from apps.inventory.models import Host, HostFacts
from apps.inventory.schemas.unrestored_settings import UnrestoredSettings
from apps.inventory.selectors.inventory import INSTALLABLE
from apps.inventory.services.asking import check_ask
from apps.inventory.services.disks import disks_sync
from apps.inventory.services.owned_rows import require_reachable
from apps.tools.messages import join_messages, message

# Latency is measured on the host alone; a clock that is off only confuses those who read its logs.
TOLERATED_CLOCK_OFFSET = 1.0
# Bytes for the agent's jobs below which a long test with logs may not fit.
MIN_FREE_BYTES = 256 * 1024**2


@transaction.atomic
def host_check_request(*, host: Host, user: User) -> None:
    """Request a check of the host.

    Raises: ServiceError for a host that is disabled or only in the archive.
    """
    require_role(user, Role.OPERATOR)
    require_reachable(host)
    if not host.enabled:
        raise ServiceError(_("%(name)s is switched off.") % {"name": host.name})
    audit_record(user=user, action="check", subject=host)
    check_ask(host)


@transaction.atomic
def host_restore_settings_request(*, host: Host, user: User) -> None:
    """Request a check, which first restores unrestored settings of ended tests.

    Raises: ServiceError as for a check.
    """
    require_role(user, Role.OPERATOR)
    require_reachable(host)
    if not host.enabled:
        raise ServiceError(_("%(name)s is switched off.") % {"name": host.name})
    attempts = [row["attempt"] for row in host.unrestored_settings]
    audit_record(user=user, action="restore settings", subject=host, attempts=attempts)
    check_ask(host)


def check_done(host: Host) -> None:
    """Clear the check request that `host`, as the worker read it, has; a later one stays."""
    request = Host.objects.filter(pk=host.pk, check_requested_at=host.check_requested_at)
    request.update(check_requested_at=None)


@transaction.atomic
def tool_install_request(*, host: Host, tool: str, user: User) -> None:
    """Request the installation of a tool of the agent's list ("fio", "iozone") as a package."""
    require_role(user, Role.ADMIN)
    if tool not in INSTALLABLE:
        raise ServiceError(
            _("benchlab does not install this."), {"tool": _("Unknown.")}, status=400
        )
    require_reachable(host)
    if not host.enabled:
        raise ServiceError(_("%(name)s is switched off.") % {"name": host.name})
    if host.privilege_mode == Host.PrivilegeMode.USER:
        raise ServiceError(_("Installing needs root, and benchlab has no root on this host."))
    Host.objects.filter(pk=host.pk).update(install_requested=INSTALLABLE[tool], install_log="")
    audit_record(user=user, action="install", subject=host, tool=tool)
    check_ask(host)


@transaction.atomic
def host_check_store(
    *,
    host: Host,
    facts: dict[str, object],
    round_trip_seconds: float,
    clock_offset: float,
    unrestored: Sequence[UnrestoredSettings] = (),
    free: int | None = None,
) -> None:
    """Store a successful check.

    `clock_offset`: host minus benchlab, in seconds. `unrestored`: settings to restore. `free`:
    bytes left for the agent's jobs.
    """
    row = facts_store(host=host, data=facts)
    names_changed = disks_sync(host=host, facts=facts)
    late = abs(clock_offset) > TOLERATED_CLOCK_OFFSET
    full = free is not None and free < MIN_FREE_BYTES
    warnings = {
        "unrestored": unrestored_text(unrestored),
        "low_space": _free_space_text(free or 0) if full else "",
        "clock": _clock_text(clock_offset) if late else "",
    }
    kinds = [kind for kind, text in warnings.items() if text]
    Host.objects.filter(pk=host.pk).update(
        facts=row,
        health=Host.Health.WARNING if kinds else Host.Health.OK,
        health_text=join_messages(*(warnings[kind] for kind in kinds), between=" "),
        health_kind=kinds[0] if kinds else "",
        unrestored_settings=list(unrestored),
        checked_at=timezone.now(),
        round_trip_seconds=round_trip_seconds,
        clock_offset=clock_offset,
    )
    check_done(host)
    if names_changed:
        names_touch()


def host_cleanup_pending(*, host_id: int) -> None:
    """Record that files or settings of a run remain on the host.

    Checks repeat every few minutes until they are gone.
    """
    known = Host.objects.filter(pk=host_id, cleanup_pending_since__isnull=True)
    known.update(cleanup_pending_since=timezone.now())


def host_cleanup_done(*, host_id: int) -> None:
    """Record that nothing of ended runs is left on the host."""
    Host.objects.filter(pk=host_id).update(cleanup_pending_since=None)


@transaction.atomic
def host_check_failed(*, host: Host, kind: str, reason: str) -> None:
    """Store a failed check; `kind` is that of apps.remote.errors.

    A requested installation is dropped: later it would surprise the user of the host.
    """
    Host.objects.filter(pk=host.pk).update(
        health=Host.Health.UNREACHABLE,
        health_kind=kind[:20],
        health_text=reason,
        checked_at=timezone.now(),
    )
    # Runs that wait for the fsid of the host start and fail instead of waiting for ever.
    Host.objects.filter(pk=host.pk, fsid_checked_at__isnull=True).update(
        fsid_checked_at=timezone.now(), fsid_error=reason
    )
    if host.install_requested:
        host_install_store(host=host, log=reason, exit_code=-1)
    check_done(host)


@transaction.atomic
def host_install_store(*, host: Host, log: str, exit_code: int) -> None:
    """Store the output and exit code of the package manager (-1: not started)."""
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
def facts_store(*, host: Host, data: dict[str, object]) -> HostFacts:
    """Store facts of the host and return their row: a new one only if a relevant value changed."""
    data = cleaned(data)
    text = json.dumps(stable_part(data), sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    row, made = HostFacts.objects.get_or_create(host=host, digest=digest, defaults={"facts": data})
    if not made:
        row.save(update_fields=["last_seen_at"])
    Host.objects.filter(pk=host.pk).update(facts=row)
    return row


def _free_space_text(free: int) -> str:
    return message(
        "Only %(mib)d MiB are free in the agent's job directory. Free more space on that file "
        "system.",
        mib=free // 1024**2,
    )


def _clock_text(offset: float) -> str:
    side = message("ahead of") if offset > 0 else message("behind")
    return message(
        "Its clock is %(seconds).1f s %(side)s benchlab's; does it run an NTP client?",
        seconds=abs(offset),
        side=side,
    )
