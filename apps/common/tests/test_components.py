"""The shared parts of pages: what they show for which variables, and that they escape it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory

TEMPLATES = Path(settings.BASE_DIR) / "templates"
COMPONENTS = sorted((TEMPLATES / "components").glob("*.html"))
HOSTILE = '"><script>alert(1)</script>'


def component(name: str, **values: object) -> str:
    return render_to_string(f"components/{name}.html", values)


@pytest.mark.parametrize("path", COMPONENTS, ids=lambda path: path.stem)
def test_a_component_names_its_variables(path: Path) -> None:
    first = path.read_text().splitlines()[0]
    assert first.startswith("{#")
    assert "Variables:" in first


def test_an_empty_state_says_what_to_do() -> None:
    html = component("empty_state", title="No hosts", text="Add one.", url="/new", button="Add")
    assert "No hosts" in html
    assert 'href="/new"' in html
    assert "href=" not in component("empty_state", title="No hosts", text="Ask.").split("</svg>")[1]


def test_the_pager_links_only_where_rows_are() -> None:
    html = component("pager", newer="", older="?before=5&state=ok")
    assert "Newer" not in html
    assert 'href="?before=5&amp;state=ok"' in html
    assert component("pager").strip() == ""


def test_key_values_show_zero_and_a_dash_for_none() -> None:
    html = component("key_values", rows=[("Errors", 0), ("Firmware", None)])
    assert "<dd>0</dd>" in html
    assert "no figure" in html


def test_a_chart_knows_where_its_figure_is() -> None:
    html = component("chart", id="bw", label="Bandwidth", url="/f?a=1&b=2", zoom="1")
    assert 'data-figure-url="/f?a=1&amp;b=2"' in html
    assert 'data-zoom="1"' in html
    assert "data-figure-script" not in html
    assert 'aria-label="Bandwidth"' in html


def test_the_current_tab_is_marked() -> None:
    html = component("tabs", tabs=[("/a", "Cases", 0), ("/b", "Log", None)], current="/a")
    assert html.count('aria-current="page"') == 1
    assert html.count("tab-count") == 1


def test_a_confirmation_posts_with_the_token_and_asks_for_the_word() -> None:
    request = RequestFactory().get("/")
    values = {"action": "/x", "button": "Wipe", "question": "Sure?", "word": "sda", "form_id": "w"}
    html = render_to_string("components/confirm_form.html", values, request=request)
    assert "csrfmiddlewaretoken" in html
    assert 'data-confirm-word="sda"' in html
    assert 'name="confirm"' in html


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("empty_state", {"title": HOSTILE, "text": HOSTILE, "url": HOSTILE, "button": HOSTILE}),
        ("pager", {"newer": HOSTILE, "older": HOSTILE, "note": HOSTILE}),
        ("key_values", {"rows": [(HOSTILE, HOSTILE)]}),
        ("definition_card", {"title": HOSTILE, "rows": [(HOSTILE, HOSTILE)]}),
        ("chart", {"id": HOSTILE, "label": HOSTILE, "url": HOSTILE, "height": HOSTILE}),
        ("tabs", {"tabs": [(HOSTILE, HOSTILE, HOSTILE)], "current": "/"}),
        ("copy_line", {"id": HOSTILE, "text": HOSTILE}),
    ],
)
def test_foreign_text_stays_text(name: str, values: dict[str, object]) -> None:
    assert "<script" not in component(name, **values)


# A file that is sent elsewhere brings its own scripts, and a policy that loads nothing.
SELF_CONTAINED = {TEMPLATES / "analysis" / "report" / "document.html"}
PAGES = sorted(set(TEMPLATES.rglob("*.html")) - SELF_CONTAINED)


def test_a_file_that_stands_alone_may_load_nothing() -> None:
    for path in SELF_CONTAINED:
        assert "default-src 'none'" in path.read_text()
        assert not re.search(r"(src|href)=[\"']?(https?:|//|/)", path.read_text())


def test_no_template_carries_a_script_of_its_own() -> None:
    """The policy allows no inline script and no event attributes."""
    refused = re.compile(r"<script(?![^>]*\bsrc=)|\son[a-z]+=|hx-on|javascript:")
    found = {path.name: refused.findall(path.read_text()) for path in PAGES}
    assert {name: texts for name, texts in found.items() if texts} == {}
