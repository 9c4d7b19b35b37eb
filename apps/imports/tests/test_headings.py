"""Headings of a text propose the tuning of the results below; prose and outputs do not."""

from __future__ import annotations

import pytest

from apps.imports.domain.proposals import headings_of, tuning_at


def suggested_names(text: str) -> str:
    """The tuning of a result in the line after a text."""
    return tuning_at(headings_of(text), text.count("\n") + 2)


@pytest.mark.parametrize(
    ("text", "tuning"),
    [
        ("before tuning", "before"),
        ("**After tuning**", "after"),
        ("=== BEFORE ===", "before"),
        ("1. Before the upgrade", "before"),
        ("After upgrade to 5.10:", "after"),
        ("\nAfter (mq-deadline)", "after"),
        ("# Random reads after the change", "after"),
        ("Random reads after the change\n=====", "after"),
        ("Post-tuning:", "after"),
        ("### 优化前测试", "before"),
        ("调优之后", "after"),
        ("1、优化后", "after"),
        ("未优化", "before"),
        ("# Before\n\n# After", "after"),
        ("## before\n\n### write", "before"),
    ],
)
def test_heading_proposes_a_tuning(text: str, tuning: str) -> None:
    assert suggested_names(text) == tuning


@pytest.mark.parametrize(
    "text",
    [
        "After the reboot we ran it again.",
        "Before running the test:",
        "After installing fio, run:",
        "and so\nafter that the disks were replaced and",
        "优化前后的对比",
        "我们主要是针对写操作优化了参数，因此结果也主要是写操作的性能得到了优化。",
        "## before and after",
        "```\nbefore tuning\n```",
        "## before\n\n# Another host",
        "posted results:",
    ],
)
def test_other_line_proposes_nothing(text: str) -> None:
    assert suggested_names(text) == ""
