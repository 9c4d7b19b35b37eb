"""Calculated durability against values that were worked out by hand, and its page."""

from __future__ import annotations

from math import log
from urllib.parse import parse_qs

import pytest
from django.test import Client
from django.urls import reverse

from apps.inventory.domain.durability import (
    HOURS_OF_A_YEAR,
    RedundantDisks,
    array_query,
    durability,
    failure_rate,
    mean_time_to_loss,
)
from apps.inventory.views.durability import probability_text, years_text

RATE, REPAIR = 1e-5, 0.1
"""A failure in 100,000 hours, a rebuild in 10."""


def rates(*disks: int) -> list[float]:
    return [number * RATE for number in disks]


def test_mean_time_without_redundancy_is_that_of_the_first_failure() -> None:
    assert mean_time_to_loss(rates(4), REPAIR) == pytest.approx(25_000)


def test_mean_time_of_one_parity_is_the_closed_form() -> None:
    # ((2 * 4 - 1) * 1e-5 + 0.1) / (4 * 3 * 1e-10) = 0.10007 / 1.2e-9
    assert mean_time_to_loss(rates(4, 3), REPAIR) == pytest.approx(83_391_666.67)


def test_mean_time_of_three_copies_is_the_sum_of_three_steps() -> None:
    # 33,333.33; 50,000 + 5,000 * 33,333.33 = 166,716,666.67; 100,000 + 10,000 * 166,716,666.67
    expected = 33_333.333 + 166_716_666.667 + 1_667_166_766_666.67
    assert mean_time_to_loss(rates(3, 2, 1), REPAIR) == pytest.approx(expected)


def test_failure_rate_gives_the_share_of_a_year() -> None:
    assert failure_rate(0.5) == pytest.approx(log(2) / HOURS_OF_A_YEAR)


def test_disks_of_a_failed_domain_lose_no_further_unit() -> None:
    # 12 disks on 3 hosts, 3 copies: 12, 8, 4 disks can fail next.
    found = durability(RedundantDisks(1, 2, 12, 3, 0.01, 8.0))
    rate = failure_rate(0.01)
    expected = mean_time_to_loss([12 * rate, 8 * rate, 4 * rate], 1 / 8)
    assert found.mttdl_hours == pytest.approx(expected)
    assert found.yearly_loss == pytest.approx(HOURS_OF_A_YEAR / expected, rel=1e-3)
    assert 10**-found.nines == pytest.approx(found.yearly_loss)


def test_independent_groups_divide_the_mean_time() -> None:
    one = durability(RedundantDisks(1, 1, 2, 2, 0.01, 8.0))
    six = durability(RedundantDisks(1, 1, 2, 2, 0.01, 8.0, groups=6))
    assert six.mttdl_hours == pytest.approx(one.mttdl_hours / 6)


@pytest.mark.parametrize(
    ("level", "k", "m", "groups"),
    [("raid0", 8, 0, 1), ("raid1", 1, 7, 1), ("raid5", 7, 1, 1), ("raid6", 6, 2, 1),
     ("raid10", 1, 1, 4)],
)  # fmt: skip
def test_query_of_raid_level_has_its_redundancy(level: str, k: int, m: int, groups: int) -> None:
    query = parse_qs(array_query("bay", level, 8))
    assert [int(query[name][0]) for name in ("k", "m", "groups")] == [k, m, groups]


def test_query_without_level_is_empty() -> None:
    assert array_query("bay", "", 8) == ""


def test_page_shows_result_of_its_query(viewer_client: Client) -> None:
    page = viewer_client.get(reverse("durability"), {"k": 7, "m": 1, "disks": 8, "domains": 8})
    assert page.status_code == 200
    assert page.context["result"].mttdl_hours > 0
    assert viewer_client.get("/durability/").status_code == 200


@pytest.mark.parametrize(
    "query",
    [{"afr": "0"}, {"afr": "x"}, {"domains": "13"}, {"k": "4"}, {"disks": "1e9"},
     {"rebuild_hours": "nan"}, {"m": "-1"}],
)  # fmt: skip
def test_page_refuses_impossible_input(viewer_client: Client, query: dict[str, str]) -> None:
    answer = viewer_client.get(reverse("durability"), query)
    assert answer.status_code == 400
    assert "result" not in answer.context


@pytest.mark.parametrize(
    ("years", "expected"),
    [(0.01234, "0.0123"), (45.67, "45.7"), (1234.0, "1,230"), (9.06e8, "906,000,000")],
)
def test_years_have_three_significant_digits(years: float, expected: str) -> None:
    assert years_text(years) == expected


def test_years_beyond_any_meaning_are_a_limit() -> None:
    assert years_text(1e200) == "> 1,000,000,000,000"


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.0, "0"), (0.0123, "0.0123"), (1.104e-9, "1.1 × 10⁻⁹"), (9.996e-5, "1 × 10⁻⁴")],
)
def test_small_probability_is_a_power_of_ten(probability: float, text: str) -> None:
    assert probability_text(probability) == text
