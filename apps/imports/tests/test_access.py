"""Permission to import and to change an import: owner, viewer, stranger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import User
from apps.imports.models import Import, ImportState
from apps.imports.services import import_discard, import_store, import_update
from apps.imports.tests.factories import create_import, team_files
from apps.runs.models import Run


def upload() -> dict[str, object]:
    first = team_files()[0]
    return {"file": SimpleUploadedFile(first.path, first.data), "host_name": "ceph-1"}


def test_a_viewer_sees_and_does_not_send(viewer_client: Client, owner: User) -> None:
    imported = create_import(owner)
    page = viewer_client.get(f"/imports/{imported.pk}/").content.decode()
    assert "rados--write_before_tuning.txt" in page
    assert 'name="then"' not in page
    assert viewer_client.post("/imports/new/", upload()).status_code == 403
    assert 'type="file"' not in viewer_client.get("/imports/").content.decode()


def test_a_stranger_changes_nobody_elses_import(stranger_client: Client, owner: User) -> None:
    imported = create_import(owner)
    for act in ("names", "bulk-names", "store", "discard"):
        assert stranger_client.post(f"/imports/{imported.pk}/{act}/").status_code == 403
    imported.refresh_from_db()
    assert imported.state == ImportState.READ


def test_the_owner_sends_and_stores(owner_client: Client) -> None:
    answer = owner_client.post("/imports/new/", upload())
    imported = Import.objects.get()
    assert answer.headers["Location"] == f"/imports/{imported.pk}/"
    assert imported.host_name == "ceph-1"
    answer = owner_client.post(f"/imports/{imported.pk}/store/")
    assert answer.headers["Location"] == f"/runs/{Run.objects.get().pk}/"


@pytest.mark.parametrize("act", [import_store, import_discard])
def test_services_ask_too(act: Callable[..., Import], owner: User, stranger: User) -> None:
    imported = create_import(owner)
    with pytest.raises(PermissionDenied):
        act(imported=imported, user=stranger)
    with pytest.raises(PermissionDenied):
        import_update(imported=imported, user=stranger, names={"name": "mine"})


def test_a_viewer_cannot_begin_one(viewer: User) -> None:
    with pytest.raises(PermissionDenied):
        create_import(viewer)
