"""Disks of a list are enrolled under the checks of one disk, and never because of a near match."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import ApiToken, AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.domain.disk_lists import DiskList, damage_text, near_text, read_disk_list
from apps.inventory.domain.disk_lists import same_wwn as same_wwn_of
from apps.inventory.domain.host_lists import ListError, decode
from apps.inventory.models import Disk
from apps.inventory.selectors.disk_list_plan import plan_disks
from apps.inventory.services import disks_enrol_listed
from apps.inventory.tests.factories import create_archive_host, create_disk, create_host
from tests.harness.documents import Changes

PAGE = "/disks/enrol-list/"
API = "/api/v1/disks/enrol-list/"
FREE: Changes = {"mounts": [], "holders": [], "signatures": []}
Api = Callable[[User | None], APIClient]


def read(text: str) -> list[tuple[str, str, str]]:
    return [(row.host, row.serial, row.note) for row in read_disk_list(text).rows]


@pytest.mark.parametrize(
    "data",
    [
        "host,serial,note\na,007,old\n".encode("utf-8-sig"),
        b"host;serial;note\r\na;007;old\r\n",
        "host\tserial\tnote\na\t007\told".encode("utf-16"),
        b"# made by hand\n\nNote,HOST,Serial\nold, a , 007 \n,,\n",
        "host，serial，note\na，００７，old\n".encode(),
    ],
)
def test_the_forms_of_csv_give_the_same_row(data: bytes) -> None:
    assert read(decode(data)) == [("a", "007", "old")]


def test_a_note_at_the_end_may_have_commas() -> None:
    assert read("host,serial,note\na,1,x，y,z") == [("a", "1", "x, y, z")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "a,007",
        "host\na",
        "host,serial,serial\na,1,2",
        "host,serial\n",
        "host,serial\n" + "a,1\n" * 10_000,
        "x" * ((1 << 20) + 1),
    ],
)
def test_a_text_that_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(ListError):
        read_disk_list(text)


@pytest.mark.parametrize(
    "line", [",1", "a,", "a,1,,x", "a,\x00", "a,{{ serial }}", f"a,{'1' * 401}"]
)
def test_a_bad_line_has_an_error(line: str) -> None:
    result: DiskList = read_disk_list(f"host,serial\n{line}")
    assert result.rows[0].errors


@pytest.mark.parametrize(
    ("serial", "is_damaged"),
    [
        ("1.23E+10", True),
        ("1,23E+10", True),
        ("5e+11", True),
        ("'00123", True),
        ('="00123"', True),
        ("12345.0", True),
        ("00123", False),
        ("S4EVNX0M123456", False),
        ("WD-WCC4E1", False),
    ],
)
def test_damage_of_a_spreadsheet_is_named(serial: str, is_damaged: bool) -> None:
    assert bool(damage_text(serial)) is is_damaged


@pytest.mark.parametrize(
    ("serial", "reported", "is_near"),
    [
        ("123", "00123", True),
        ("abc", "ABC", True),
        ("123456789012346000", "123456789012345678", True),
        ("123", "1230", False),
        ("A123", "0A123", False),
    ],
)
def test_a_near_serial_is_named(serial: str, reported: str, is_near: bool) -> None:
    assert bool(near_text(serial, [reported])) is is_near


def test_a_wwn_is_the_same_in_its_notations() -> None:
    assert same_wwn_of("wwn:naa.5000c500a1b2c3d4", "0x5000C500A1B2C3D4")
    assert not same_wwn_of("wwn:naa.5000c500a1b2c3d4", "0x5000c500a1b2c3d")
    assert not same_wwn_of("", "wwn:")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "line", "state"),
    [
        ({}, "h,S1", "enrol"),
        ({}, "h,S1,EUI.1,test  DISK", "enrol"),
        ({}, "h,,eui.1", "enrol"),
        ({}, "h,S1,eui.2", "refused"),
        ({}, "h,S1,,Other", "refused"),
        ({}, "H,S1", "refused"),
        ({}, "old,S1", "refused"),
        ({}, "h,s1", "refused"),
        ({}, "h,S", "not_reported"),
        ({}, "h,*", "not_reported"),
        ({"device_path": ""}, "h,S1", "not_reported"),
        ({"identity": "none:m:sda"}, "h,S1", "refused"),
        ({"facts": FREE | {"system": True}}, "h,S1", "refused"),
        ({"facts": FREE | {"mounts": ["/"]}}, "h,S1", "refused"),
        ({"facts": FREE | {"holders": ["dm-0"]}}, "h,S1", "refused"),
        ({"facts": FREE | {"swap": True}}, "h,S1", "refused"),
        ({"facts": FREE | {"read_only": True}}, "h,S1", "refused"),
        ({"facts": FREE | {"ambiguous": True}}, "h,S1", "refused"),
        ({"facts": FREE | {"signatures": ["LVM2_member"]}}, "h,S1", "refused"),
        ({"facts": FREE | {"signatures": ["linux_raid_member"]}}, "h,S1", "refused"),
        ({"facts": FREE | {"signatures": ["ceph_bluestore"]}}, "h,S1", "refused"),
        ({"facts": FREE | {"partitions": [{"name": "sda1", "size": 1}]}}, "h,S1", "refused"),
        ({"enrolled_at": timezone.now()}, "h,S1", "enrolled"),
    ],
)
def test_each_row_has_a_state(fields: Changes, line: str, state: str, owner: User) -> None:
    create_archive_host("old")
    changes: Changes = {"identity": "wwn:eui.1", "serial": "S1", "facts": FREE} | fields
    create_disk(host=create_host(name="h"), **changes)
    text = f"host,serial,wwn,model\n{line}"
    row = plan_disks(text).rows[0]
    assert row.state == state
    assert bool(row.errors) is (state in ("refused", "not_reported"))
    if state == "enrol":
        disks_enrol_listed(user=owner, text=text, confirmation="1")
    else:
        with pytest.raises(ServiceError):
            disks_enrol_listed(user=owner, text=text, confirmation="1", lines=[2])
    assert Disk.objects.filter(enrolled_by=owner).exists() is (state == "enrol")


@pytest.mark.django_db
def test_two_devices_with_a_serial_need_the_wwn(owner: User) -> None:
    host = create_host(name="h")
    for number in (1, 2):  # as namespaces of one controller
        path = f"/dev/nvme0n{number}"
        create_disk(host=host, serial="S1", identity=f"wwn:eui.{number}", device_path=path)
    assert plan_disks("host,serial\nh,S1").rows[0].state == "refused"
    row = plan_disks("host,serial,wwn\nh,S1,eui.2").rows[0]
    assert row.disk is not None
    assert row.disk.device_path == "/dev/nvme0n2"


@pytest.mark.django_db
def test_a_device_that_another_host_uses_is_refused() -> None:
    create_disk(host=create_host(name="h"), serial="S1", identity="wwn:eui.1")
    facts = FREE | {"mounts": ["/srv"]}
    create_disk(host=create_host(name="other"), identity="wwn:eui.1", facts=facts)
    row = plan_disks("host,serial\nh,S1").rows[0]
    assert row.state == "refused"
    assert "other" in row.errors[0]


@pytest.mark.django_db
def test_a_disk_twice_is_refused_once() -> None:
    create_disk(host=create_host(name="h"), serial="S1", identity="wwn:eui.1")
    rows = plan_disks("host,serial,wwn\nh,S1,\nh,,eui.1").rows
    assert [row.state for row in rows] == ["enrol", "refused"]


@pytest.mark.django_db
def test_all_or_none_with_the_number_and_the_right(owner: User, operator: User) -> None:
    host = create_host(name="h")
    disks = [create_disk(host=host, serial=f"S{n}") for n in range(3)]
    text = "host,serial,note\nh,S0,rack 2\nh,S1,\nh,S9,"
    with pytest.raises(PermissionDenied):
        disks_enrol_listed(user=operator, text=text, confirmation="2", lines=[2, 3])
    for confirmation, lines in (("3", None), ("3", [2, 3]), ("", [2]), ("0", []), ("1", [9])):
        with pytest.raises(ServiceError):
            disks_enrol_listed(user=owner, text=text, confirmation=confirmation, lines=lines)
    assert not Disk.objects.filter(enrolled_at__isnull=False).exists()
    assert not AuditEntry.objects.filter(action="enrol").exists()
    enrolled = disks_enrol_listed(user=owner, text=text, confirmation=" 2 ", lines=[2, 3])
    assert enrolled == disks[:2]
    disk = Disk.objects.get(pk=disks[0].pk)
    assert (disk.enrolled_by, disk.enrolled_size, disk.fingerprint) == (owner, disk.size, None)
    entry = AuditEntry.objects.get(action="enrol", object_id=str(disk.pk))
    assert entry.detail["identity"] == disk.identity
    assert entry.detail["list"] == {"line": 2, "serial": "S0", "note": "rack 2"}
    host.refresh_from_db()
    assert host.check_requested_at is not None


@pytest.mark.django_db
def test_an_enrolled_disk_keeps_its_fingerprint(owner: User) -> None:
    """Enrolling again would confirm a changed content that nobody has looked at."""
    host = create_host(name="h")
    changed = create_disk(host=host, enrolled_by=owner, serial="S1", content_changed="It changed.")
    create_disk(host=host, serial="S2")
    disks_enrol_listed(user=owner, text="host,serial\nh,S1\nh,S2", confirmation="1")
    assert Disk.objects.get(pk=changed.pk).content_changed == "It changed."


@pytest.mark.django_db
def test_the_page_previews_then_enrols(owner_client: Client, operator: User) -> None:
    host = create_host(name="h")
    disk = create_disk(host=host, serial="S1", identity="wwn:eui.1")
    create_disk(host=host, serial="S2", facts={"mounts": ["/"]})
    text = "host,serial\nh,S1\nh,S2\n<b>x</b>,1\n"
    file = SimpleUploadedFile("disks.csv", text.encode("utf-8-sig"))
    page = owner_client.post(PAGE, {"file": file, "step": "preview"}).content.decode()
    boxes = re.findall(r'name="row" form="disk-list" value="([^"]+)"', page)
    assert len(boxes) == 1
    assert "<b>x</b>" not in page
    body = {"text": text, "step": "enrol", "row": boxes, "confirm": "2"}
    assert owner_client.post(PAGE, body).status_code == 400
    Disk.objects.filter(pk=disk.pk).update(size=7)
    body["confirm"] = "1"
    assert owner_client.post(PAGE, body).status_code == 400  # not what the preview showed
    Disk.objects.filter(pk=disk.pk).update(size=disk.size)
    assert not Disk.objects.filter(enrolled_at__isnull=False).exists()
    assert owner_client.post(PAGE, body).status_code == 302
    assert Disk.objects.get(enrolled_at__isnull=False) == disk
    client = Client()
    client.force_login(operator)
    assert client.post(PAGE, body).status_code == 403


@pytest.mark.django_db
def test_many_rows_cost_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    host = create_host(name="h")
    for number in range(20):
        create_disk(host=host, serial=f"S{number}")
    text = "host,serial\n" + "".join(f"h,S{number}\n" for number in range(1990))
    with django_assert_max_num_queries(5):
        assert plan_disks(text).count("enrol") == 20


@pytest.mark.django_db
def test_the_api_enrols_a_list(api: Api, owner: User, operator: User) -> None:
    create_disk(host=create_host(name="h"), serial="S1", identity="wwn:eui.1")
    body: Changes = {"text": "host,serial\nh,S1\nh,S2"}
    shown = api(owner).post(f"{API}?dry_run=true", body, format="json").json()
    assert [row["state"] for row in shown["rows"]] == ["enrol", "not_reported"]
    assert not Disk.objects.get().is_enrolled
    body |= {"lines": [2], "confirm": 1}
    assert api(operator).post(API, body, format="json").status_code == 403
    weak = APIClient()
    weak.force_authenticate(owner, ApiToken(user=owner))
    assert weak.post(API, body, format="json").status_code == 403
    wrong = api(owner).post(API, body | {"confirm": 2}, format="json")
    assert wrong.status_code == 400
    assert not Disk.objects.get().is_enrolled
    assert api(owner).post(API, body, format="json").status_code == 200
    assert Disk.objects.get().is_enrolled


@pytest.mark.django_db
def test_a_lone_surrogate_names_no_host() -> None:
    assert plan_disks("host,serial\n\ud800,S1").rows[0].state == "refused"
