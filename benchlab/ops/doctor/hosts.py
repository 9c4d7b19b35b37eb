"""Check hosts by their last check, and the encryption of SSH keys."""

from __future__ import annotations

from collections.abc import Iterator

from apps.common.database.encryption import SecretUnreadable
from apps.inventory.models import Credential, Host
from apps.inventory.selectors.inventory import credential_opens, hosts_reachable
from benchlab.ops.findings import Finding, note, or_ok, wrong

MOST = 20  # hosts named one by one


def keys() -> list[Finding]:
    """Check that BENCHLAB_ENCRYPTION_KEYS decrypts every stored SSH key."""
    return or_ok(_shut(), "every stored SSH key can be opened")


def _shut() -> Iterator[Finding]:
    for credential in Credential.objects.order_by("name"):
        try:
            credential_opens(credential)
        except SecretUnreadable as error:
            todo = "put the old key back into BENCHLAB_ENCRYPTION_KEYS (docs/operations/secrets.md)"
            yield wrong(f"SSH key {credential.name}: {error}", todo)


def hosts() -> list[Finding]:
    """Check reachability, clock, unrestored settings and free space of enabled hosts."""
    used = list(hosts_reachable().filter(enabled=True).order_by("name"))
    result = [finding for host in used for finding in _about(host)]
    if len(result) > MOST:
        todo = "see the list of hosts"
        result = [*result[:MOST], wrong(f"and {len(result) - MOST} more findings of hosts", todo)]
    return or_ok(result, f"{len(used)} hosts were well when they were checked last")


def _about(host: Host) -> Iterator[Finding]:
    if host.health == Host.Health.UNREACHABLE:
        todo = "repair it, or switch it off on its page; then check it there"
        yield wrong(f"host {host.name} is not reached: {host.health_text}", todo)
    elif host.health == Host.Health.WARNING:
        yield wrong(f"host {host.name}: {host.health_text}", "its page says more")
    elif host.health == Host.Health.UNCHECKED:
        text = host.health_text or "it was not checked yet"
        yield note(f"host {host.name}: {text}", "open its page and check it")
    if host.unrestored_settings and host.health != Host.Health.WARNING:
        count = len(host.unrestored_settings)
        text = f"host {host.name}: {count} ended tests still have settings on loan"
        yield wrong(text, "bring it back and press “Recover” on its page")
