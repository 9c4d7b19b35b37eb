"""Public keys on many hosts by a one-time password, which is neither stored nor logged.

The web process logs in itself, because a task would carry the password through the broker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.inventory.models import Host, HostBatch
from apps.inventory.selectors.host_batches import hosts_for_password
from apps.inventory.selectors.inventory import host_spec
from apps.inventory.services.asking import check_ask
from apps.remote.errors import HostError
from apps.remote.key_deployment import DeploymentResult, KeyDeployment, deploy_keys

SECONDS = 40.0
"""Time for all hosts of one request; reverse proxies wait 60 s."""
MAX_PASSWORD = 1024
DEPLOYED = ("key_works", "key_deployed")


@sensitive_variables("password")
def host_batch_deploy_keys(
    *, batch: HostBatch, hosts: Collection[int], password: str, user: User
) -> list[tuple[Host, DeploymentResult]]:
    """Put the public key of each selected host of a batch there with a password; check the hosts.

    The password is sent only to a host that proves its pinned host key, and at most once.
    Raises: ServiceError (400) without a password or a host; PermissionDenied below admin.
    """
    require_role(user, Role.ADMIN)
    if not password or len(password) > MAX_PASSWORD or "\0" in password:
        message = _("Type the password, up to 1024 characters.")
        raise ServiceError(message, {"one_time_password": message}, status=400)
    rows = [host for host in hosts_for_password(batch) if host.pk in hosts]
    if not rows:
        raise ServiceError(_("No host is selected."), status=400)
    names = [host.name for host in rows]
    audit_record(user=user, action="deploy key", subject=batch, hosts=names)
    results: dict[int, DeploymentResult] = {}
    deployments: dict[int, KeyDeployment] = {}
    for host in rows:
        try:
            deployments[host.pk] = KeyDeployment(host_spec(host), _key_line(host))
        except HostError as error:
            results[host.pk] = DeploymentResult("failed", error.message)
    results |= asyncio.run(deploy_keys(deployments, password, SECONDS))
    _store(batch, rows, results, user)
    return [(host, results[host.pk]) for host in rows]


def _key_line(host: Host) -> str:
    """Return the public key without the comment of a pasted key, which is free text."""
    assert host.credential is not None, "hosts_for_password selects stored keys"
    return " ".join([*host.credential.public_key.split()[:2], "benchlab"])


@transaction.atomic
def _store(
    batch: HostBatch, hosts: list[Host], results: dict[int, DeploymentResult], user: User
) -> None:
    """Record the results and check the hosts that may have the key now."""
    states = {host.name: results[host.pk].state for host in hosts}
    audit_record(user=user, action="deploy key", subject=batch, results=states)
    for host in hosts:
        if host.enabled and results[host.pk].state in (*DEPLOYED, "timed_out"):
            check_ask(host)
