"""A question has one query, however its parts were ordered."""

from __future__ import annotations

from django.http import QueryDict

from apps.analysis.queries.summary_query import canonical

ORDER = ["workload", "metric", "host", "owner"]


def test_names_stand_in_the_filters_order_and_empty_ones_are_left_out() -> None:
    one = QueryDict("host=7&metric=iops&workload=ab12&owner=&show=read")
    other = QueryDict("show=read&workload=ab12&host=7&metric=iops")
    texts = "workload=ab12&metric=iops&host=7&show=read"
    assert canonical(one, ORDER) == canonical(other, ORDER) == texts


def test_values_of_one_name_keep_the_order_that_was_chosen() -> None:
    assert canonical(QueryDict("host=9&metric=&host=7"), ORDER) == "host=9&host=7"


def test_values_are_quoted() -> None:
    assert canonical(QueryDict("host=a%26b%20c"), ORDER) == "host=a%26b+c"
