"""Host entries: what is refused, what asks for a check, which key a host gets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from pytest_django import DjangoCaptureOnCommitCallbacks

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.models import Credential, Host
from apps.inventory.selectors.inventory import host_spec
from apps.inventory.services import (
    HostDraft,
    NewKey,
    host_create,
    host_enabled_set,
    host_update,
    local_host_ensure,
)
from apps.inventory.tests.factories import create_host
from apps.remote.errors import HostError
from apps.remote.keys import generate_key

DRAFT = HostDraft(name="ceph-01", address="192.0.2.10", key_source=Host.KeySource.AGENT)


def test_a_new_host_is_recorded_and_checked_at_once(
    admin: User,
    hints: list[tuple[str, int]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        host = host_create(user=admin, draft=DRAFT)
    assert hints == [("execution.check_host", host.pk)]
    assert host.is_being_checked
    assert AuditEntry.objects.get(object_type="host").detail["entry"]["address"] == "192.0.2.10"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("address", ""),
        ("address", "-oProxyCommand=id"),
        ("address", "a b"),
        ("address", "host;id"),
        ("address", "$(id)"),
        ("user", "-root"),
        ("user", "root;id"),
        ("port", 0),
        ("port", 65536),
        ("name", "a/b"),
        ("name", ""),
    ],
)
def test_words_that_are_none_are_refused_by_field(admin: User, field: str, value: Any) -> None:
    with pytest.raises(ServiceError) as refused:
        host_create(user=admin, draft=replace(DRAFT, **{field: value}))
    assert refused.value.status == 400
    assert field in refused.value.fields
    assert not Host.objects.exists()


def test_a_stored_key_must_be_there(admin: User) -> None:
    with pytest.raises(ServiceError) as refused:
        host_create(user=admin, draft=replace(DRAFT, key_source=Host.KeySource.STORED))
    assert list(refused.value.fields) == ["credential"]


def test_jump_hosts_may_not_go_round_in_a_circle(admin: User) -> None:
    first = create_host(name="first")
    second = create_host(name="second", jump=first)
    draft = HostDraft(name="first", address="192.0.2.1", key_source="agent", jump=second)
    with pytest.raises(ServiceError, match="circle"):
        host_update(host=first, user=admin, draft=draft)
    with pytest.raises(ServiceError, match="circle"):
        host_update(host=first, user=admin, draft=replace(draft, jump=first))


def test_a_jump_over_this_machine_is_none(admin: User) -> None:
    with pytest.raises(ServiceError, match="needs no jump"):
        host_create(user=admin, draft=replace(DRAFT, jump=local_host_ensure(user=admin)))


def test_a_new_pair_is_encrypted_and_opens_for_the_worker_only(admin: User) -> None:
    host = host_create(user=admin, draft=replace(DRAFT, key_source="stored"), new_key=NewKey())
    credential = Credential.objects.get()
    assert credential.public_key.startswith("ssh-ed25519 ")
    assert b"OPENSSH" not in bytes(credential.encrypted_key)
    spec = host_spec(Host.objects.get(pk=host.pk))
    assert spec.private_key is not None
    assert "OPENSSH PRIVATE KEY" in spec.private_key
    assert "PRIVATE" not in repr(spec)
    assert "PRIVATE" not in str(list(AuditEntry.objects.values()))


def test_a_key_copied_to_another_row_does_not_open(admin: User) -> None:
    one = host_create(user=admin, draft=replace(DRAFT, key_source="stored"), new_key=NewKey())
    two = host_create(
        user=admin, draft=replace(DRAFT, name="two", key_source="stored"), new_key=NewKey()
    )
    assert one.credential is not None
    assert two.credential is not None
    Credential.objects.filter(pk=two.credential.pk).update(
        encrypted_key=bytes(one.credential.encrypted_key)
    )
    with pytest.raises(HostError, match="another place"):
        host_spec(Host.objects.get(pk=two.pk))


def test_pasted_key_is_opened_before_it_is_stored(admin: User) -> None:
    draft = replace(DRAFT, key_source="stored")
    with pytest.raises(ServiceError) as refused:
        host_create(user=admin, draft=draft, new_key=NewKey(private_key="no key"))
    assert list(refused.value.fields) == ["private_key"]
    assert not Credential.objects.exists()
    pem, public = generate_key()
    host = host_create(user=admin, draft=draft, new_key=NewKey(private_key=pem))
    assert host.credential is not None
    assert host.credential.public_key.split()[:2] == public.split()[:2]


def test_refused_host_leaves_no_key(admin: User) -> None:
    draft = replace(DRAFT, key_source="stored", address="a b")
    with pytest.raises(ServiceError):
        host_create(user=admin, draft=draft, new_key=NewKey())
    assert not Credential.objects.exists()


def test_a_move_keeps_the_pinned_key_and_asks_for_a_check(admin: User) -> None:
    host = create_host(name="ceph-01", address="192.0.2.10")
    key = host.host_key
    moved = host_update(host=host, user=admin, draft=replace(DRAFT, address="192.0.2.99"))
    assert (moved.address, moved.host_key) == ("192.0.2.99", key)
    assert moved.is_being_checked


def test_new_tags_ask_for_no_check(admin: User) -> None:
    host = create_host(name="ceph-01", address="192.0.2.10")
    changed = host_update(host=host, user=admin, draft=replace(DRAFT, tags=["b", "a", "b"]))
    assert changed.tags == ["a", "b"]
    assert not changed.is_being_checked


def test_disabling_a_host_clears_its_requests(admin: User) -> None:
    host = host_create(user=admin, draft=DRAFT)
    host_enabled_set(host=host, user=admin, enabled=False)
    host.refresh_from_db()
    assert host.state == "disabled"
    assert not host.is_being_checked


def test_this_machine_is_there_once(admin: User) -> None:
    host = local_host_ensure(user=admin)
    assert local_host_ensure(user=admin) == host
    assert host_spec(host).local
    with pytest.raises(ServiceError, match="already there"):
        host_create(user=admin, draft=HostDraft(name="again", kind=Host.Kind.LOCAL))


def test_only_admins_write_hosts(owner: User, operator: User) -> None:
    for user in (owner, operator):
        with pytest.raises(PermissionDenied, match="Admin"):
            host_create(user=user, draft=DRAFT)
