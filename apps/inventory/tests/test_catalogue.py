"""The catalogue of disk models: matching, CSV, rights, and what disks get of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.domain.catalogue import best_entry, read_catalogue
from apps.inventory.domain.host_lists import ListError
from apps.inventory.models import CatalogueEntry
from apps.inventory.presenters import csv_of_catalogue
from apps.inventory.selectors.catalogue import entry_of
from apps.inventory.selectors.specifications import specification_of, specifications_of
from apps.inventory.services import (
    catalogue_entry_save,
    catalogue_examples_add,
    catalogue_import,
    disk_model_update,
)
from apps.inventory.tests.factories import create_disk, create_disk_model

Api = Callable[[User | None], APIClient]
TB = 10**12


@dataclass(frozen=True)
class Entry:
    pattern: str
    capacity_bytes: int | None = None


@pytest.mark.parametrize(
    ("entries", "model", "size", "expected"),
    [
        ([Entry("S4510*")], "S4510 960GB", TB, "S4510*"),
        ([Entry("s4510")], "S4510", TB, "s4510"),
        ([Entry("S4510")], "S4510 960GB", TB, None),
        ([Entry("*"), Entry("S45*"), Entry("S4510*")], "S4510", TB, "S4510*"),
        ([Entry("S[45]*")], "S4510", TB, None),
        ([Entry("S4510", TB)], "S4510", TB + TB // 60, "S4510"),
        ([Entry("S4510", TB)], "S4510", 2 * TB, None),
        ([Entry("S4510", TB)], "S4510", 0, None),
        ([Entry("*")], "", TB, None),
        ([Entry("a" + "*a" * 50)], "a" * 118 + "b", TB, None),
    ],
)
def test_entry_of_a_model(
    entries: list[Entry], model: str, size: int, expected: str | None
) -> None:
    found = best_entry(entries, model, size)
    assert (found.pattern if found else None) == expected


def test_entry_with_capacity_comes_before_one_for_any() -> None:
    found = best_entry([Entry("S4510"), Entry("S4510", TB)], "S4510", TB)
    assert found == Entry("S4510", TB)


def test_csv_is_read_with_its_units() -> None:
    text = "pattern;source;sequential_read_mb_per_s;capacity_bytes\nX*;sheet;560;1000\n"
    ((line, values),) = read_catalogue(text)
    assert line == 2
    assert values["sequential_read_rate"] == 560e6
    assert values["capacity_bytes"] == 1000
    assert values["rated_terabytes_written"] is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pattern\nX",
        "pattern,source,tbw\nX,sheet,5",
        "pattern,source,source\nX,sheet,sheet",
        "pattern,source\n,sheet",
        "pattern,source\nX,",
        "pattern,source\nX,sheet,more",
        "pattern,source,spr_op\nX,sheet,1e3",
        'pattern,source,rated_terabytes_written\nX,sheet,"7,008"',
        "pattern,source,seek_ms\nX,sheet,-1",
        "pattern,source,seek_ms\nX,sheet,nan",
        "pattern,source\n",
    ],
)
def test_bad_csv_is_refused(text: str) -> None:
    with pytest.raises(ListError):
        read_catalogue(text)


@pytest.mark.django_db
def test_examples_are_exported_and_imported_as_the_same(owner: User) -> None:
    assert catalogue_examples_add(user=owner).created == 5
    text = csv_of_catalogue(CatalogueEntry.objects.all()).decode()
    done = catalogue_import(user=owner, text=text)
    assert (done.created, done.changed, done.same) == (0, 0, 5)
    done = catalogue_import(user=owner, text=text.replace(",600,", ",601,", 1))
    assert (done.created, done.changed, done.same) == (0, 1, 4)


@pytest.mark.django_db
@pytest.mark.parametrize("rows", ["A,s,1\nB,s,0\n", "A,s,1\nA,s,2\n"])
def test_import_with_a_bad_line_changes_nothing(owner: User, rows: str) -> None:
    with pytest.raises(ServiceError) as caught:
        catalogue_import(user=owner, text="pattern,source,rated_terabytes_written\n" + rows)
    assert caught.value.status == 400
    assert not CatalogueEntry.objects.exists()


@pytest.mark.django_db
def test_catalogue_fills_figures_that_disk_and_model_lack(owner: User) -> None:
    values = {"pattern": "S45*", "source": "sheet", "sla_iops": 90.0, "seek_ms": 8.0}
    catalogue_entry_save(user=owner, values=values)
    disk = create_disk(model=create_disk_model("S4510"))
    assert disk.model
    disk_model_update(model=disk.model, user=owner, values={"seek_ms": 4.0})
    disk.refresh_from_db()
    figures = specification_of(disk)
    assert figures
    assert (figures.sla_iops, figures.seek_ms) == (90.0, 4.0)
    assert specifications_of([disk.pk]) == {disk.pk: figures}
    disk.facts = {"array": {"level": "raid5", "disks": 4}}
    assert disk.array is None or entry_of(disk) is None


@pytest.mark.django_db
def test_only_disk_owners_change_it(
    api: Api, owner: User, operator: User, owner_client: Client, viewer_client: Client
) -> None:
    address = "/api/v1/disk-catalogue/"
    body = {"pattern": "S45*", "source": "sheet", "rated_terabytes_written": 3.5}
    assert api(operator).post(address, body).status_code == 403
    made = api(owner).post(address, body).json()
    assert api(owner).post(address, body).status_code == 400
    one = f"{address}{made['id']}/"
    assert api(operator).patch(one, {"spr_op": 0.2}).status_code == 403
    changed = api(owner).patch(one, {"spr_op": 0.2}).json()
    assert (changed["spr_op"], changed["rated_terabytes_written"]) == (0.2, 3.5)
    assert api(owner).patch(one, {"spr_op": 2}).status_code == 400
    text = {"text": "pattern,source\nX,sheet\n"}
    assert api(operator).post(f"{address}import/", text).status_code == 403
    assert api(owner).post(f"{address}import/", text).json()["created"] == 1
    assert api(owner).post(f"{address}import/", {"text": "x"}).status_code == 400
    assert viewer_client.get(reverse("catalogue_export")).status_code == 200
    edit = reverse("catalogue_edit", args=[made["id"]])
    assert viewer_client.get(edit).status_code == 403
    form = {"pattern": "S45*", "source": "other", "sequential_read_mb_per_s": "560"}
    assert owner_client.post(edit, form).status_code == 302
    assert CatalogueEntry.objects.get(pk=made["id"]).sequential_read_rate == 560e6
    assert "S45*" in viewer_client.get(reverse("catalogue_list")).content.decode()
    assert api(owner).delete(one).status_code == 204
    with pytest.raises(PermissionDenied):
        catalogue_import(user=operator, text=text["text"])
