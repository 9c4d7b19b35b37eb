"""The address holds the whole question, in one order."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.test import Client

from apps.accounts.models import User
from apps.analysis.queries.comparison_query import ComparisonQuery, parse_comparison_query
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.common.errors import ServiceError

FULL = (
    "run=1&run=2&plan=3&factor=param%3Aiodepth&baseline=iodepth+8&operation=read"
    "&metric=iops&metric=latency_p99&host=4&target=alpha&tuning=Host+defaults&minimum=2.5"
)


def test_a_question_survives_its_address() -> None:
    query = parse_comparison_query(QueryDict(FULL))
    assert query.urlencode() == FULL
    assert parse_comparison_query(QueryDict(query.urlencode())) == query


def test_order_and_empty_values_do_not_matter() -> None:
    mixed = parse_comparison_query(
        QueryDict("metric=latency_p99&run=2&host=&metric=iops&run=1&run=2&plan=")
    )
    assert mixed == ComparisonQuery(runs=(1, 2), metrics=("iops", "latency_p99"))
    assert mixed.urlencode() == "run=1&run=2&metric=iops&metric=latency_p99"


@pytest.mark.django_db  # a plan may be named, so it is looked for
@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("run=x", "run"),
        ("run=99999999999999999999", "run"),
        ("run=9223372036854775808", "run"),
        ("run=²", "run"),
        ("&".join(f"run={n}" for n in range(501)), "run"),
        ("plan=-1", "plan"),
        ("factor=kernel", "factor"),
        ("factor=param:a b", "factor"),
        ("metric=speed", "metric"),
        ("minimum=nan", "minimum"),
        ("minimum=1001", "minimum"),
        ("tuning=a%00b", "tuning"),
        ("baseline=%00", "baseline"),
    ],
)
def test_what_is_wrong_is_named(query: str, name: str) -> None:
    with pytest.raises(ServiceError) as refused:
        parse_comparison_query(QueryDict(query))
    assert list(refused.value.fields) == [name]
    assert refused.value.status == 400


def test_the_page_sends_every_order_to_the_one_address(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner))
    answer = viewer_client.get(
        f"/compare/?minimum=0&factor=tuning&operation=&chart=iops&run={run.pk}"
    )
    assert answer.status_code == 302
    assert answer["Location"] == f"/compare/?run={run.pk}&chart=iops"
    assert viewer_client.get(answer["Location"]).status_code == 200


def test_a_wrong_address_says_what_is_wrong(viewer_client: Client) -> None:
    answer = viewer_client.get("/compare/?factor=weather")
    assert answer.status_code == 400
    assert "param:iodepth" in answer.content.decode()
