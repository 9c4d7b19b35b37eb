"""Texts of people: Markdown is shown, and nothing that runs or loads."""

from __future__ import annotations

import pytest

from apps.common.templatetags.benchlab_markdown import markdown


def test_markdown_is_shown() -> None:
    found = markdown("# Findings\n\n- **none** wins\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert "<h1>Findings</h1>" in found
    assert "<li><strong>none</strong> wins</li>" in found
    assert "<td>1</td>" in found


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[click](javascript:alert(1))",
        "[click](data:text/html;base64,PHNjcmlwdD4=)",
        "![beacon](https://elsewhere.example/x.png)",
        '[a](https://a.example "" onmouseover=alert(1) x="")',
        "<https://a.example/><script>",
    ],
)
def test_nothing_runs_and_nothing_is_loaded(text: str) -> None:
    found = markdown(text)
    assert "<script" not in found
    assert "<img" not in found
    assert 'href="javascript' not in found
    assert 'href="data' not in found
    assert '" onmouseover' not in found
