"""The documentation is consistent: links resolve, pages are listed, screenshots are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
PAGES = [*sorted(PROJECT.glob("*.md")), *sorted(DOCS.glob("**/*.md"))]
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
CODE = re.compile(r"(`+).+?\1")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.M)


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", page.read_text())


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """Each relative link as (file, heading's anchor or "")."""
    for target in LINK.findall(CODE.sub("", prose(page)) + named_code_links(page)):
        if not re.match(r"[a-z]+:", target):
            name, _hash, anchor = target.partition("#")
            yield ((page.parent / name).resolve() if name else page), anchor


def named_code_links(page: Path) -> str:
    """Links whose text is code, which the removal of code would break."""
    return " ".join(
        f"[]({target})" for target in re.findall(r"\[`[^]]*`\]\(([^)\s]+)\)", prose(page))
    )


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, made as GitHub and GitLab make them."""
    plain = (re.sub(r"[^\w\- ]", "", text.lower()) for text in HEADING.findall(prose(page)))
    return {text.strip().replace(" ", "-") for text in plain}


def test_every_relative_link_leads_somewhere() -> None:
    broken = [
        f"{page.relative_to(PROJECT)}: {file.name}#{anchor}"
        for page in PAGES
        for file, anchor in links(page)
        if not file.exists() or (anchor and anchor not in anchors(file))
    ]
    assert broken == []


def test_the_index_lists_every_page() -> None:
    listed = {file for file, _anchor in links(DOCS / "index.md")}
    missing = set(DOCS.glob("**/*.md")) - listed - {DOCS / "index.md"}
    assert {str(page.relative_to(DOCS)) for page in missing} == set()


def test_every_screenshot_is_shown_and_small() -> None:
    shown = {file for page in PAGES for file, _anchor in links(page)}
    screenshots = set((DOCS / "screenshots").iterdir())
    assert screenshots <= shown
    assert max(screenshot.stat().st_size for screenshot in screenshots) < 200_000


def test_the_script_makes_exactly_the_screenshots_there_are() -> None:
    text = (PROJECT / "bin" / "screenshots").read_text()
    made = set(re.findall(r'Screenshot\("([a-z-]+)"', text))
    assert made == {screenshot.stem for screenshot in (DOCS / "screenshots").iterdir()}
