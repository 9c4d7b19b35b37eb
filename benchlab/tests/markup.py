"""Scripts that a page would execute, found as a browser finds it: by parsing."""

from __future__ import annotations

from html.parser import HTMLParser

DATA = ("application/json",)
ADDRESSES = ("href", "src", "action", "formaction", "hx-get", "hx-post")


class Page(HTMLParser):
    """`inline`: what runs or styles without being one of our files, as sentences; `tags`: names of
    all elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.tags: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        known = dict(attrs)
        if tag == "style":
            self.inline.append("a <style> block")
        if tag == "script" and not known.get("src") and known.get("type") not in DATA:
            self.inline.append("a <script> block")
        for name, value in attrs:
            if name.startswith("on"):
                self.inline.append(f"<{tag} {name}=...>")
            address = "".join((value or "").split()).lower()
            if name in ADDRESSES and address.startswith(("javascript:", "data:", "vbscript:")):
                self.inline.append(f"<{tag} {name}={address}>")
