"""The pages of an import: send, look, name, store, discard."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import, ImportFile
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import, sample, team_files, zipped
from apps.runs.models import Run

CEPH_CONF = b"[global]\nauth_cluster_required = none\n[osd]\nosd_op_threads = 16\n"


def files(*found: ArchiveEntry) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(each.path.rsplit("/", 1)[-1], each.data) for each in found]


def page_of(client: Client, imported: Import) -> str:
    return client.get(f"/imports/{imported.pk}/").content.decode()


def test_an_empty_list_says_what_to_do(owner_client: Client) -> None:
    page = owner_client.get("/imports/").content.decode()
    assert "Nothing was imported yet" in page
    assert "Drop files, folders or archives here" in page


def test_the_preview_says_figures_with_units_and_what_becomes_of_them(
    owner_client: Client, owner: User
) -> None:
    page = page_of(owner_client, create_import(owner, host_name="ceph-1"))
    for words in ("83.32 MiB/s", "87.37 MB/s", "20.83 IOPS", "rados bench", "ceph-1", "before"):
        assert words in page, words


def test_the_preview_takes_few_queries(
    owner_client: Client, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    imported = create_import(owner)
    with django_assert_max_num_queries(20):
        page_of(owner_client, imported)


def test_upload_accepts_paths_of_a_folder_with_its_files(owner_client: Client) -> None:
    first, second = team_files()[:2]
    sent: dict[str, object] = {"file": files(first, second), "path": ["old/a/x.txt", "old/b/x.txt"]}
    owner_client.post("/imports/new/", sent)
    assert set(ImportFile.objects.values_list("path", flat=True)) == {"old/a/x.txt", "old/b/x.txt"}


def test_a_form_without_files_says_so(owner_client: Client) -> None:
    answer = owner_client.post("/imports/new/", {"name": "nothing"})
    assert answer.status_code == 400
    assert "There are no files in it." in answer.content.decode()


def test_invalid_host_name_is_an_error_of_its_field(owner_client: Client) -> None:
    answer = owner_client.post(
        "/imports/new/", {"file": files(*team_files()[:1]), "host_name": "two words"}
    )
    assert answer.status_code == 400
    assert "letters, digits, dots" in answer.content.decode()
    assert not Import.objects.exists()


def test_names_of_files_and_which_are_stored(owner_client: Client, owner: User) -> None:
    imported = create_import(owner)
    said: dict[str, object] = {"name": "named", "target_name": "pool test", "then": "store"}
    for number in range(1, 7):
        said |= {f"{number}-host_name": "ceph-2", f"{number}-tuning_name": "x"}
        said |= {f"{number}-target_name": ""}
        if number != 3:
            said[f"{number}-selected"] = "on"
    answer = owner_client.post(f"/imports/{imported.pk}/names/", said)
    run = Run.objects.get()
    assert answer.headers["Location"] == f"/runs/{run.pk}/"
    assert (run.name, run.case_count) == ("named", 5)
    cases = run.cases.all()
    assert {(case.host.name, case.target_words, case.tuning_name) for case in cases} == {
        ("ceph-2", "pool test", "x")
    }


def test_names_of_many_files_at_once(owner_client: Client, owner: User) -> None:
    imported = create_import(owner)
    said = {"many-contains": "AFTER", "many-tuning_name": "new ceph.conf"}
    owner_client.post(f"/imports/{imported.pk}/bulk-names/", said)
    rows = imported.files.order_by("number")
    assert [row.tuning_name for row in rows] == [""] * 3 + ["new ceph.conf"] * 3


def test_setting_many_names_keeps_what_else_was_typed(owner_client: Client, owner: User) -> None:
    imported = create_import(owner)
    said = {"many-contains": "after", "many-tuning_name": "new", "name": "named", "note": "a note"}
    said |= {
        "1-selected": "on",
        "1-host_name": "ceph-9",
        "1-tuning_name": "old",
        "1-target_name": "",
    }
    owner_client.post(f"/imports/{imported.pk}/bulk-names/", said)
    imported.refresh_from_db()
    assert (imported.name, imported.note) == ("named", "a note")
    first = imported.files.get(number=1)
    assert (first.host_name, first.tuning_name, first.selected) == ("ceph-9", "old", True)
    assert imported.files.filter(tuning_name="new").count() == 3


def test_enter_in_a_field_keeps_and_does_not_store(owner_client: Client, owner: User) -> None:
    """A browser presses the first button of a form."""
    page = page_of(owner_client, create_import(owner))
    assert page.index("Save the names") < page.index('name="then"')


def test_discarding_leaves_nothing(owner_client: Client, owner: User) -> None:
    imported = create_import(owner)
    owner_client.post(f"/imports/{imported.pk}/discard/")
    imported.refresh_from_db()
    assert imported.state == "discarded"
    assert not ImportFile.objects.exists()
    assert owner_client.post(f"/imports/{imported.pk}/store/").status_code == 302
    assert not Run.objects.exists()


def test_a_stored_import_leads_to_its_run_and_is_not_changed(
    owner_client: Client, owner: User
) -> None:
    imported = create_import(owner)
    owner_client.post(f"/imports/{imported.pk}/store/")
    page = page_of(owner_client, imported)
    assert f"/runs/{Run.objects.get().pk}/" in page
    assert 'name="then"' not in page
    owner_client.post(f"/imports/{imported.pk}/names/", {"name": "late"})
    imported.refresh_from_db()
    assert imported.name == "old results"


def test_a_ceph_conf_leads_to_tunings(owner_client: Client, owner: User) -> None:
    imported = create_import(owner, [ArchiveEntry("ceph.conf", CEPH_CONF)])
    page = page_of(owner_client, imported)
    assert "/tunings/import/" in page
    assert "Make a tuning of it" in page


def test_a_files_page_shows_lines_without_figures_and_the_text(
    owner_client: Client, owner: User
) -> None:
    text = b"[root@node1 ~]# ./test.sh\n" + sample("dd", "8.x--chinese-4k")
    imported = create_import(owner, [ArchiveEntry("dd.txt", text)])
    page = owner_client.get(f"/imports/{imported.pk}/files/1/").content.decode()
    assert "Unused lines" in page
    assert "1: [root@node1 ~]# ./test.sh" in page


def test_a_file_comes_back_byte_for_byte(owner_client: Client, owner: User) -> None:
    found = team_files()[0]
    imported = create_import(owner)
    where = f"/imports/{imported.pk}/files/1/raw/"
    assert owner_client.get(where).getvalue() == found.data
    owner_client.post(f"/imports/{imported.pk}/store/")
    answer = owner_client.get(where)
    assert answer.getvalue() == found.data
    assert answer.headers["Content-Disposition"].startswith("attachment;")


@pytest.mark.timeout(120)
def test_five_hundred_files_are_shown_by_the_hundred(owner_client: Client, owner: User) -> None:
    one = sample("dd", "8.x--chinese-4k")
    many = {f"runs/{number:03}.txt": one + b"\n" * number for number in range(500)}
    imported = create_import(owner, [ArchiveEntry("all.zip", zipped(many))])
    imported.refresh_from_db()
    page = page_of(owner_client, imported)
    assert "A worker reads the files" in page
    assert page.count("runs/") >= 100


def test_a_name_that_cannot_be_brings_back_what_was_typed(
    owner_client: Client, owner: User
) -> None:
    imported = create_import(owner)
    number = imported.files.order_by("number")[0].number
    typed = {"name": "Old notes", "host_name": "node 01", "note": "from the wiki"}
    typed |= {f"{number}-selected": "on", f"{number}-tuning_name": "as it was"}
    answer = owner_client.post(f"/imports/{imported.pk}/names/", typed)
    page = answer.content.decode()
    assert answer.status_code == 400
    for words in ("up to 64 letters", "Old notes", "node 01", "from the wiki", "as it was"):
        assert words in page, words
    imported.refresh_from_db()
    assert imported.host_name != "node 01"


def test_a_sync_has_no_bandwidth_and_no_dash_for_it(owner_client: Client, owner: User) -> None:
    fio = ArchiveEntry("fio.json", sample("fio", "3.33--json-fsync"))
    page = page_of(owner_client, create_import(owner, [fio]))
    after = page.split('<span class="text-secondary">sync</span>')[1].strip()
    assert after.startswith('<span class="figure">')


def test_the_case_of_an_import_names_no_planned_time(owner_client: Client, owner: User) -> None:
    run = import_store(imported=create_import(owner), user=owner).run
    assert run is not None
    case = run.cases.get(sequence=0)
    page = owner_client.get(f"/cases/{case.pk}/").content.decode()
    assert "In the import" in page
    assert "Planned time" not in page
