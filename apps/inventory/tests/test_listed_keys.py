"""Many host keys trusted by one pasted text: only a key that is listed for its own host."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.models import Host, HostAuthority, HostBatch
from apps.inventory.selectors.host_batches import authorities_of
from apps.inventory.selectors.inventory import fingerprint, host_spec
from apps.inventory.services import (
    host_authorities_add,
    host_authority_delete,
    host_key_accept,
    host_key_certified,
    host_key_offered,
    host_keys_accept_listed,
)
from apps.inventory.tests.factories import create_batch, create_host, public_line
from apps.remote.known_hosts import parse_known_hosts

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(admin: User) -> HostBatch:
    """Three hosts that have presented a key."""
    hosts = [
        create_host(name=f"n{number}", address=f"192.0.2.{number}", host_key="")
        for number in (1, 2, 3)
    ]
    for host in hosts:
        host_key_offered(host=host, line=public_line())
    return create_batch(admin, *hosts)


def offered(name: str) -> str:
    return Host.objects.get(name=name).presented_host_key


def shown(name: str) -> str:
    return fingerprint(offered(name))


def trusted() -> list[str]:
    return sorted(Host.objects.exclude(host_key="").values_list("name", flat=True))


def test_each_way_of_naming_a_host_is_understood(batch: HostBatch, admin: User) -> None:
    text = (
        f"192.0.2.1: 3072 SHA256:{'x' * 43} root@image (RSA)\n"
        f"192.0.2.1: 256 {shown('n1')} root@image (ED25519)\n"
        f"256 {shown('n2')} root@n2 (ED25519)\n"
        f"---------------\nN3\n---------------\n256 {shown('n3')} no comment (ED25519)\n"
    )
    result = host_keys_accept_listed(batch=batch, text=text, user=admin)
    assert sorted(result.accepted) == trusted() == ["n1", "n2", "n3"]
    assert all(host.is_being_checked for host in Host.objects.all())
    audit = AuditEntry.objects.filter(action="accept host key")
    assert {entry.detail["source"] for entry in audit} == {"pasted list"}


def test_known_hosts_lines_are_understood(batch: HostBatch, admin: User) -> None:
    text = f"n1 {offered('n1')}\n192.0.2.2 {offered('n2')}\n192.0.2.3 {public_line()}"
    result = host_keys_accept_listed(batch=batch, text=text, user=admin)
    assert sorted(result.accepted) == ["n1", "n2"]
    assert "other keys" in result.refused["n3"]


def test_the_key_of_another_host_is_not_trusted(batch: HostBatch, admin: User) -> None:
    """A machine that answers at the address of another has a listed key too."""
    one, two = shown("n1"), shown("n2")
    text = f"n1: 256 {two} root@n2\nn2: 256 {one} root@n1\n{shown('n3')}"
    result = host_keys_accept_listed(batch=batch, text=text, user=admin)
    assert result.accepted == trusted() == []
    assert "Another machine may answer" in result.refused["n1"]
    assert "no key for it" in result.refused["n3"]


def test_a_key_that_two_hosts_show_is_not_trusted(batch: HostBatch, admin: User) -> None:
    line = offered("n1")
    Host.objects.filter(name="n2").update(presented_host_key=line)
    text = f"n1: 256 {fingerprint(line)}\nn2: 256 {fingerprint(line)}"
    result = host_keys_accept_listed(batch=batch, text=text, user=admin)
    assert result.accepted == []
    assert "Another host has the same key" in result.refused["n1"]


def test_hosts_of_another_list_are_not_touched(batch: HostBatch, admin: User) -> None:
    outside = create_host(name="outside", host_key="")
    host_key_offered(host=outside, line=public_line())
    text = f"outside: 256 {shown('outside')}"
    result = host_keys_accept_listed(batch=batch, text=text, user=admin)
    assert result.accepted == []
    assert "outside" not in result.refused


def test_a_host_without_a_key_and_an_empty_text_have_sentences(
    batch: HostBatch, admin: User
) -> None:
    Host.objects.filter(name="n1").update(presented_host_key="")
    result = host_keys_accept_listed(batch=batch, text="n1: nothing", user=admin)
    assert "presented no key yet" in result.refused["n1"]
    with pytest.raises(ServiceError, match="Paste the fingerprints"):
        host_keys_accept_listed(batch=batch, text=" \n", user=admin)


@pytest.mark.parametrize("role", ["viewer", "operator", "owner"])
def test_only_admins_trust(batch: HostBatch, role: str, request: pytest.FixtureRequest) -> None:
    user = request.getfixturevalue(role)
    with pytest.raises(PermissionDenied):
        host_keys_accept_listed(batch=batch, text=f"n1: 256 {shown('n1')}", user=user)
    assert trusted() == []


def test_an_authority_in_the_text_is_stored_and_asks_again(batch: HostBatch, admin: User) -> None:
    text = f"@cert-authority n* {public_line()}"
    result = host_keys_accept_listed(batch=batch, text=text, user=admin)
    assert result.accepted == []
    assert all(host.is_being_checked for host in Host.objects.all())
    authority = HostAuthority.objects.get()
    host_authority_delete(user=admin, authority=authority)
    assert not HostAuthority.objects.exists()


def test_a_certified_key_never_replaces_a_pinned_one() -> None:
    pinned = create_host(name="pinned")
    host_key_certified(host=pinned, line=public_line())
    assert Host.objects.get(name="pinned").host_key == pinned.host_key
    new = create_host(name="new", host_key="")
    line = public_line()
    host_key_certified(host=new, line=line)
    assert Host.objects.get(name="new").host_key == line
    entry = AuditEntry.objects.get(action="accept host key")
    assert (entry.username, entry.detail["source"]) == ("benchlab", "certificate authority")


# --- Revoked keys --------------------------------------------------------------------------------


def test_a_revoked_key_is_not_trusted_and_the_revocation_is_stored(
    batch: HostBatch, admin: User
) -> None:
    lines = {name: offered(name) for name in ("n1", "n2")}
    text = f"n1: 256 {shown('n1')}\nn2: 256 {shown('n2')}\n@revoked * {lines['n1']}"
    result = host_keys_accept_listed(batch=batch, text=text, user=admin)
    assert (result.accepted, result.refused["n1"]) == (["n2"], "Its key is revoked.")
    assert HostAuthority.objects.get().is_revoked
    again = f"n1: 256 {shown('n1')}"
    assert host_keys_accept_listed(batch=batch, text=again, user=admin).accepted == []
    host = Host.objects.get(name="n1")
    with pytest.raises(ServiceError, match="revoked"):
        host_key_accept(host=host, fingerprint=shown("n1"), user=admin)
    host_key_certified(host=host, line=public_line())
    assert Host.objects.get(name="n1").host_key


def test_a_revoked_authority_is_offered_to_no_host(admin: User) -> None:
    line, host = public_line(), create_host(name="new", host_key="")
    authority = parse_known_hosts(f"@cert-authority * {line}\n@revoked n* {line}")
    host_authorities_add(user=admin, authorities=authority.authorities, revoked=authority.revoked)
    assert authorities_of(host) == []
    assert authorities_of(create_host(name="other", host_key="")) == [line]
    host_authority_delete(user=admin, authority=HostAuthority.objects.get(is_revoked=True))
    assert authorities_of(host) == [line]


def test_the_connection_of_a_host_has_its_revoked_keys(admin: User) -> None:
    host = create_host(name="pinned")
    known = parse_known_hosts(f"@revoked pinned {host.host_key}")
    host_authorities_add(user=admin, authorities=[], revoked=known.revoked)
    assert host_spec(host).revoked == {host.host_key}
