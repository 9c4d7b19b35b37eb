"""Lists: order by a column of the address, pages in that order, natural order of names."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import BadRequest
from django.db.models import IntegerField, Value
from django.db.models.fields import CharField
from django.db.models.functions import Cast, NullIf, Right
from django.test import RequestFactory

from apps.common.database.natural_order import natural_order
from apps.common.web.lists import ListColumn, ListPage, list_page

pytestmark = pytest.mark.django_db

LAST_DIGIT = Cast(NullIf(Right("name", 1), Value("x"), output_field=CharField()), IntegerField())
COLUMNS = (
    ListColumn("name", "Name", natural_order("name")),
    ListColumn("digit", "Last digit", LAST_DIGIT, is_number=True),
    ListColumn("note", "Note"),
)
NODES = ("loop10", "loop2", "nvme10n1", "nvme2n1", "loop1", "ax", "bx")


def page_of(query: str, *, size: int = 50, default: str = "") -> ListPage[Group]:
    request = RequestFactory().get(f"/{query}")
    return list_page(Group.objects.all(), request, COLUMNS, size=size, default=default)


def names_of(page: ListPage[Group]) -> list[str]:
    return [row.name for row in page.rows]


def create_nodes() -> None:
    Group.objects.bulk_create(Group(name=name) for name in NODES)


def test_names_with_numbers_are_sorted_by_the_numbers() -> None:
    create_nodes()

    names = names_of(page_of("?sort=name"))

    assert names == ["ax", "bx", "loop1", "loop2", "loop10", "nvme2n1", "nvme10n1"]
    assert names_of(page_of("?sort=-name")) == names[::-1]
    assert names_of(page_of("", default="name")) == names


@pytest.mark.parametrize("sort", ["name", "-name", "digit", "-digit"])
def test_pages_of_a_sorted_list_have_each_row_once_in_both_directions(sort: str) -> None:
    create_nodes()
    whole = names_of(page_of(f"?sort={sort}"))

    page = page_of(f"?sort={sort}", size=2)
    onward, pages = names_of(page), [names_of(page)]
    while page.older:
        page = page_of(page.older, size=2)
        onward += names_of(page)
        pages.append(names_of(page))
    back = [names_of(page)]
    while page.newer:
        page = page_of(page.newer, size=2)
        back.append(names_of(page))

    assert onward == whole
    assert len(pages) == 4
    assert back == pages[::-1]


@pytest.mark.parametrize("sort", ["digit", "-digit"])
def test_rows_without_a_value_come_last_in_both_directions(sort: str) -> None:
    create_nodes()

    assert set(names_of(page_of(f"?sort={sort}"))[-2:]) == {"ax", "bx"}


@pytest.mark.parametrize("sort", ["note", "colour", "-", "name,digit"])
def test_a_column_that_cannot_be_sorted_is_refused(sort: str) -> None:
    with pytest.raises(BadRequest):
        page_of(f"?sort={sort}")


def test_the_position_of_a_deleted_row_shows_the_first_page() -> None:
    create_nodes()

    assert names_of(page_of("?sort=name&after=0")) == names_of(page_of("?sort=name"))


def test_a_head_sorts_by_its_column_and_then_the_other_way() -> None:
    first = page_of("?sort=name&q=loop&after=3").head[0]
    name, digit, note = page_of("?sort=-name").head

    assert (first.direction, first.address) == ("ascending", "?sort=-name&q=loop")
    assert (name.direction, name.address) == ("descending", "?sort=name")
    assert (digit.direction, digit.address) == ("", "?sort=digit")
    assert note.address == ""
