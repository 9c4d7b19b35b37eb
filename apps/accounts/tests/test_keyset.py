"""Pages of a list go by position: every row once, one query a page, nonsense ignored."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Team
from apps.common.web.pagination import Page, keyset


def page_of(query: str, *, order: str = "-pk") -> Page[Team]:
    return keyset(Team.objects.all(), RequestFactory().get(f"/teams/{query}"), size=3, order=order)


def names(page: Page[Team]) -> list[str]:
    return [team.name for team in page.rows]


@pytest.fixture
def teams(db: None) -> list[str]:
    made = ["b", "d", "a", "c", "g", "f", "e"]
    Team.objects.bulk_create([Team(name=name) for name in made])
    return made


@pytest.mark.parametrize("order", ["-pk", "pk", "name", "-name"])
def test_walking_on_and_back_shows_every_row_once(teams: list[str], order: str) -> None:
    expected = list(Team.objects.order_by(order).values_list("name", flat=True))
    page = page_of("", order=order)
    assert page.newer == ""
    seen, walked = names(page), [page]
    while page.older:
        page = page_of(page.older, order=order)
        seen += names(page)
        walked.append(page)
    assert seen == expected
    for before in reversed(walked[:-1]):
        page = page_of(page.newer, order=order)
        assert names(page) == names(before)
    assert page.newer == ""


def test_a_page_is_one_query(
    teams: list[str], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        page_of("?after=3")


def test_filters_stay_in_the_links(teams: list[str]) -> None:
    older = page_of("?q=x&after=9999").older
    assert "q=x" in older
    assert older.count("after=") == 1


@pytest.mark.parametrize("value", ["abc", "1;2", "%00", "", "99999999999999999999999"])
def test_a_position_that_is_none_never_fails(teams: list[str], value: str) -> None:
    assert len(page_of(f"?after={value}").rows) == 3


def test_an_empty_list_has_no_neighbours(db: None) -> None:
    page = page_of("")
    assert (page.rows, page.newer, page.older) == ([], "", "")
