"""Many hosts at once: previewed by row, stored together or not at all, by admins only."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.models import Credential, Host, HostAuthority, HostBatch
from apps.inventory.presenters import csv_of_hosts, deployments, fingerprint_line
from apps.inventory.selectors.host_batches import batch_hosts
from apps.inventory.selectors.host_plan import HostPlan, ListOptions, PlannedRow, plan_hosts
from apps.inventory.services import host_batch_check, host_batch_create
from apps.inventory.tests.factories import create_archive_host, create_host, public_line

pytestmark = pytest.mark.django_db


def plan(text: str, **options: object) -> HostPlan:
    return plan_hosts(ListOptions(text=text, **options))  # type: ignore[arg-type]


def row(text: str, **options: object) -> PlannedRow:
    (only,) = plan(text, **options).rows
    return only


def create(admin: User, text: str, **options: object) -> HostBatch:
    return host_batch_create(
        user=admin,
        options=ListOptions(text=text, **options),  # type: ignore[arg-type]
    )


def states(planned: HostPlan) -> dict[str, str]:
    return {one.name: one.state for one in planned.rows}


def test_new_hosts_share_one_pair_and_are_checked(
    admin: User, hints: list[tuple[str, int]], django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        batch = create(admin, "node[01-20].lab", user="bench", tags=("rack2",))
    hosts = list(batch.hosts.all())
    assert len(hosts) == 20
    assert {host.credential for host in hosts} == {batch.credential}
    assert Credential.objects.count() == 1
    assert all(host.is_being_checked and host.tags == ["rack2"] for host in hosts)
    assert {name for name, _pk in hints} == {"execution.check_host"}
    assert len(hints) == 20
    audited = AuditEntry.objects.filter(action="create", object_type="host").count()
    assert audited == 20
    assert AuditEntry.objects.get(action="add hosts").detail["hosts"][0] == "node01.lab"


def test_a_row_is_new_same_changed_or_refused(admin: User) -> None:
    create(admin, "name,address,port\na,192.0.2.1,22\nb,192.0.2.2,22")
    create_host(name="here", kind=Host.Kind.LOCAL, address="")
    planned = plan(
        "name,address,port\na,192.0.2.1,22\nb,192.0.2.2,23\nc,192.0.2.3,\nd,nowhere;,\nhere,x,\n"
    )
    assert states(planned) == {
        "a": "same",
        "b": "changed",
        "c": "new",
        "d": "refused",
        "here": "refused",
    }
    assert planned.rows[1].changes == [("port", "22", "23")]
    assert "“nowhere;”" in planned.rows[3].errors[0]


def test_the_export_is_the_same_when_it_is_read_again(admin: User) -> None:
    create(admin, "name,address,jump,tags\nb,192.0.2.1,,x y\nj,2001:db8::1,b,\nplain,,,")
    text = csv_of_hosts(Host.objects.select_related("jump", "credential")).decode()
    assert set(states(plan(text)).values()) == {"same"}
    assert len(plan(text).rows) == 3


def test_one_refused_row_stores_nothing(admin: User) -> None:
    with pytest.raises(ServiceError, match="Nothing is stored") as raised:
        create(admin, "name,port\ngood,22\nbad,99999\n=1+1,22")
    faults = raised.value.fields["rows"]
    assert ["“99999” is not a port" in faults[0], "=1+1" in faults[1]] == [True, True]
    assert not Host.objects.exists()
    assert not Credential.objects.exists()
    assert not HostBatch.objects.exists()


def test_selected_rows_are_stored_without_the_refused_one(admin: User) -> None:
    options = ListOptions(text="name,port\ngood,22\nbad,99999\nother,22")
    batch = host_batch_create(user=admin, options=options, names=["good"])
    assert [host.name for host in batch.hosts.all()] == ["good"]
    assert Host.objects.count() == 1
    for names in (["nobody"], []):
        with pytest.raises(ServiceError):
            host_batch_create(user=admin, options=options, names=names)


def test_a_name_that_is_there_twice_selects_its_usable_row(admin: User) -> None:
    options = ListOptions(text="name,address\na,192.0.2.1\na,192.0.2.2")
    host_batch_create(user=admin, options=options, names=["a"])
    assert Host.objects.get().address == "192.0.2.1"


def test_a_row_that_differs_from_its_preview_is_refused(admin: User) -> None:
    options = ListOptions(text="name,address\na,192.0.2.1")
    tokens = {one.name: one.token for one in plan_hosts(options).rows}
    create_host(name="a", address="192.0.2.9")
    with pytest.raises(ServiceError, match="differs from the preview") as raised:
        host_batch_create(user=admin, options=options, names=["a"], tokens=tokens)
    assert raised.value.status == 409
    assert Host.objects.get().address == "192.0.2.9"


@pytest.mark.parametrize("role", ["viewer", "operator", "owner", "stranger"])
def test_only_admins_add_hosts(role: str, request: pytest.FixtureRequest) -> None:
    with pytest.raises(PermissionDenied):
        create(request.getfixturevalue(role), "a")
    assert not Host.objects.exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,address\na,192.0.2.1\na,192.0.2.2", "Line 2 has the same name"),
        ("name,address\na,192.0.2.1\nb,192.0.2.1", "a of this list has the same address"),
        ("name,address\nnew,192.0.2.77", "old has this address and port already"),
        ("name,user\na,Robert'); DROP", "A user name has letters"),
        ("name,user\na,-oProxyCommand=id", "A user name has letters"),
        ("name,address\na,-oProxyCommand=id", "An address is a host name"),
        ("name,key\na,lost key", "There is no key “lost key”"),
        ("name,jump\na,nowhere", "There is no jump host “nowhere”"),
        ("name,jump\na,b\nb,a", "go round in a circle"),
        ("name,jump\na,evil@old", "another user or port"),
        ("name,jump\na,archive", "is not reached over SSH"),
        ('name,jump\na,"x,y"', "Several jump hosts"),
        ("name,tags\na,<script>", "slug"),
        ("name,address\n主机,192.0.2.5", "letters, digits, dot"),
    ],
)
def test_a_bad_row_has_a_sentence(text: str, sentence: str) -> None:
    create_host(name="old", address="192.0.2.77")
    create_archive_host("archive")
    refused = [one for one in plan(text).rows if one.state == "refused"]
    assert refused
    assert sentence in " ".join(refused[-1].errors)


def test_jump_hosts_of_the_list_are_stored_first(admin: User) -> None:
    text = "Host a\n ProxyJump b\nHost b\n ProxyJump c:22\nHost c\n HostName 192.0.2.3"
    create(admin, text)
    assert Host.objects.get(name="a").jump == Host.objects.get(name="b")
    assert Host.objects.get(name="b").jump == Host.objects.get(name="c")
    options = ListOptions(text="name,jump\nx,y\ny,")
    with pytest.raises(ServiceError, match="cannot be used"):
        host_batch_create(user=admin, options=options, names=["x"])


def test_a_listed_name_leaves_what_the_list_does_not_say(admin: User) -> None:
    create_host(name="a", address="192.0.2.1", port=2222, user="bench", tags=["hand"])
    assert row("a", user="root", port=22, tags=("x",)).state == "same"
    found = row("[web]\na ansible_user=root")
    assert found.changes == [("user", "bench", "root"), ("tags", "hand", "hand web")]


def test_a_host_of_the_archive_becomes_reachable(admin: User) -> None:
    create_archive_host("old")
    create(admin, "name,address\nold,192.0.2.5")
    host = Host.objects.get()
    assert (host.kind, host.address, host.user) == ("ssh", "192.0.2.5", "root")
    assert host.credential is not None


def test_known_hosts_pin_the_key_at_once(admin: User) -> None:
    line, other = public_line(), public_line()
    known = f"a,192.0.2.1 {line}\n[b]:2222 {other}\nnonsense\n"
    text = "name,address,port\na,192.0.2.1,22\nb,192.0.2.2,2222\nc,192.0.2.3,22"
    planned = plan(text, known_hosts=known)
    assert [one.host_key for one in planned.rows] == [line, other, ""]
    assert "Line 3: it is no line of a known_hosts file." in planned.notes
    create(admin, text, known_hosts=known)
    assert Host.objects.get(name="a").host_key == line
    assert Host.objects.get(name="c").host_key == ""
    audit = AuditEntry.objects.filter(action="accept host key")
    assert {entry.detail["source"] for entry in audit} == {"known_hosts"}


def test_a_pinned_key_is_never_replaced_by_a_text(admin: User) -> None:
    host = create_host(name="a", address="192.0.2.1")
    found = row("a", known_hosts=f"a {public_line()}")
    assert found.state == "same"
    assert "The pinned one stays" in found.notes[0]
    create(admin, "a", known_hosts=f"a {public_line()}")
    assert Host.objects.get().host_key == host.host_key


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        ("a {0}\n192.0.2.1 {1}", "Two different ssh-ed25519 keys"),
        ("a {0}\n@revoked * {0}", "Its key is revoked"),
    ],
)
def test_contradicting_known_hosts_refuse_the_row(known: str, sentence: str) -> None:
    text = known.format(public_line(), public_line())
    assert sentence in row("name,address\na,192.0.2.1", known_hosts=text).errors[0]


def test_a_revoked_authority_is_stored_and_vouches_for_nobody(admin: User) -> None:
    line = public_line()
    known = f"@cert-authority *.lab {line}\n@revoked * {line}"
    assert [one.authority for one in plan("a.lab", known_hosts=known).rows] == [""]
    create(admin, "a.lab", known_hosts=known)
    assert HostAuthority.objects.get(is_revoked=True).patterns == "*"
    later = plan("b.lab", known_hosts=f"b.lab {line}").rows
    assert "Its key is revoked" in later[0].errors[0]


def test_an_authority_is_stored_and_offered_to_its_hosts(admin: User) -> None:
    known = f"@cert-authority *.lab,!bad.lab {public_line()}"
    text = "good.lab bad.lab other"
    authorities = [one.authority for one in plan(text, known_hosts=known).rows]
    assert [bool(one) for one in authorities] == [True, False, False]
    create(admin, text, known_hosts=known)
    assert HostAuthority.objects.get().patterns == "*.lab,!bad.lab"


def test_an_authority_of_every_host_is_named_above_the_preview(admin: User) -> None:
    line = public_line()
    wide, narrow = f"@cert-authority *,!bad {line}", f"@cert-authority *.lab {line}"
    (note,) = plan("a", known_hosts=wide).notes
    assert "every host" in note
    assert plan("a", known_hosts=narrow).notes == []
    assert plan("a.lab", known_hosts=f"{wide}\n@revoked * {line}").rows[0].authority == ""


def test_lines_for_the_key_quote_everything(admin: User) -> None:
    batch = create(admin, "name,address,user\na01,,root\na02,,root\nb,192.0.2.2,bench")
    one, other = deployments(batch_hosts(batch))
    assert (one.user, one.hosts, other.user) == ("root", ["a01", "a02"], "bench")
    clush = one.lines[0].text
    assert clush.startswith("clush -l root -w 'a[01-02]' '")
    assert batch.credential is not None
    assert " ".join(batch.credential.public_key.split()[:2]) in clush
    key = Credential.objects.get()
    Credential.objects.update(public_key=f"{key.public_key} x'; reboot; '")
    assert "reboot" not in deployments(batch_hosts(batch))[0].lines[0].text
    assert "'a[01-02],192.0.2.2'" in fingerprint_line(batch.hosts.order_by("name"))


def test_lines_of_hosts_with_other_ports_name_the_port(admin: User) -> None:
    batch = create(admin, "name,address,port\na,192.0.2.1,22\nb,192.0.2.2,2250\nc,192.0.2.3,2250")
    usual, other = deployments(batch_hosts(batch))
    assert (usual.port, other.port, other.hosts) == (22, 2250, ["b", "c"])
    assert not any("-p 22" in line.text for line in usual.lines)
    clush, pdsh, loop = (line.text for line in other.lines[:3])
    assert clush.startswith("clush -o '-p 2250' -l root -w 192.0.2.2,192.0.2.3 ")
    assert pdsh.startswith("PDSH_SSH_ARGS_APPEND='-p 2250' pdsh -R ssh -l root ")
    assert "do ssh -p 2250 -l root " in loop
    listed = fingerprint_line(batch.hosts.order_by("name"))
    assert listed.startswith("clush -w 192.0.2.1 ")
    assert "; clush -o '-p 2250' -w 192.0.2.2,192.0.2.3 " in listed


def test_the_line_adds_the_key_once(admin: User, tmp_path: Path) -> None:
    batch = create(admin, "a b")
    loop = next(one for one in deployments(batch_hosts(batch))[0].lines if one.program == "ssh")
    words = shlex.split(loop.text)
    script = words[words.index("$host") + 1].removesuffix(";")
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    for _time in range(2):
        subprocess.run(["sh", "-c", script], check=True, env=environment)
    file = tmp_path / ".ssh" / "authorized_keys"
    assert batch.credential is not None
    key = " ".join(batch.credential.public_key.split()[:2])
    assert file.read_text() == f"{key} benchlab\n"
    assert file.stat().st_mode & 0o077 == 0


def test_checks_of_a_batch_leave_out_disabled_hosts(operator: User, viewer: User) -> None:
    batch = HostBatch.objects.create(form="csv", created_by=operator)
    batch.hosts.set([create_host(), create_host(enabled=False), create_archive_host()])
    assert host_batch_check(batch=batch, user=operator) == 1
    with pytest.raises(PermissionDenied):
        host_batch_check(batch=batch, user=viewer)
