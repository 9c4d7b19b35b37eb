"""Latency tables as a coarse distribution."""

from __future__ import annotations

from apps.tools.fio.parser.bins.coarse import coarse


def test_coarse_with_a_negative_share_leaves_it_out() -> None:
    found = coarse({"latency_us": {"100": 60.0}, "latency_ms": {"2": 40.0, "100": -1e9}})
    assert found["bounds"] == [100_000, 2_000_000]
    assert found["below"] == {"50": 100_000, "90": 2e6, "95": 2e6, "99": 2e6, "99.9": 2e6}


def test_coarse_of_negative_shares_alone_is_empty() -> None:
    assert coarse({"latency_ms": {"100": -1e9}}) == {}
