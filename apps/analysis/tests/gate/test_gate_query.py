"""Queries of gates, and what they refuse."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.analysis.gate.query import Against, limit_ratio, parse_gate_query
from apps.common.errors import ServiceError


def test_gate_query_is_canonical() -> None:
    data = QueryDict("latency_p99_worse=10%25&iops_worse=5.0&against=run:12&run=41&operation=")
    query = parse_gate_query(data)
    assert (query.run, query.kind, query.name) == (41, Against.RUN, "12")
    assert query.limits == (("iops", 5.0), ("latency_p99", 10.0))
    assert query.urlencode() == "run=41&against=run%3A12&iops_worse=5&latency_p99_worse=10"
    assert limit_ratio("iops", 5) == 0.95
    assert limit_ratio("latency_p99", 10) == 1.1


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("against=run:12&iops_worse=5", "run"),
        ("run=x&against=run:12&iops_worse=5", "run"),
        ("run=99999999999999999999&against=run:12&iops_worse=5", "run"),
        ("run=41&iops_worse=5", "against"),
        ("run=41&against=run:41&iops_worse=5", "against"),
        ("run=41&against=run:x&iops_worse=5", "against"),
        ("run=41&against=baseline:&iops_worse=5", "against"),
        ("run=41&against=baseline:a%00&iops_worse=5", "against"),
        ("run=41&against=param:iodepth&iops_worse=5", "against"),
        ("run=41&against=host:a&iops_worse=5", "against"),
        ("run=41&against=run:12", "iops_worse"),
        ("run=41&against=run:12&iops_worse=0", "iops_worse"),
        ("run=41&against=run:12&iops_worse=0.000%25", "iops_worse"),
        ("run=41&against=run:12&iops_worse=-5", "iops_worse"),
        ("run=41&against=run:12&iops_worse=100", "iops_worse"),
        ("run=41&against=run:12&iops_worse=nan", "iops_worse"),
        ("run=41&against=run:12&latency_p99_worse=1001", "latency_p99_worse"),
        ("run=41&against=run:12&iops_worse=5&operation=%00", "operation"),
        ("run=41&against=run:12&iops_worse=5&tuning=x", "tuning"),
    ],
)
def test_gate_query_with_a_bad_value_names_the_field(text: str, field: str) -> None:
    with pytest.raises(ServiceError) as refused:
        parse_gate_query(QueryDict(text))
    assert refused.value.status == 400
    assert list(refused.value.fields) == [field]
