"""Bodies of notifications in the formats of their receivers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

MAX_LINES = 20
MAX_LINE_CHARACTERS = 500


@dataclass(frozen=True)
class AlertBody:
    """Alert name, one line per cause, and the link; absolute if BENCHLAB_PUBLIC_URL is set."""

    alert: str
    lines: Sequence[str]
    link: str = ""

    @property
    def displayed_lines(self) -> list[str]:
        """Return the lines that fit; the last one counts the omitted ones."""
        lines = [line[:MAX_LINE_CHARACTERS] for line in self.lines[:MAX_LINES]]
        left = len(self.lines) - len(lines)
        if not left:
            return lines
        return [*lines, ngettext("… %(n)d more", "… %(n)d more", left) % {"n": left}]

    @property
    def subject(self) -> str:
        """Return the e-mail subject, one line."""
        count = len(self.lines)
        causes = ngettext("%(n)d cause", "%(n)d causes", count) % {"n": count}
        first = self.lines[0] if count == 1 else causes
        return " ".join(f"benchlab: {self.alert}: {first}".split())[:200]

    @property
    def text(self) -> str:
        """Return the plain text."""
        return "\n".join([*self.displayed_lines, *(["", self.link] if self.link else [])]) + "\n"


def generic(body: AlertBody) -> bytes:
    """Return {"alert", "lines", "link"}."""
    return _json({"alert": body.alert, "lines": list(body.lines), "link": body.link})


def slack(body: AlertBody) -> bytes:
    """Return the body of a Slack incoming webhook.

    &, < and > are escaped, because they start mentions and links.
    """
    lines = [f"*{_slack(body.alert)}*", *(f"• {_slack(line)}" for line in body.displayed_lines)]
    link = [f"<{body.link}>"] if body.link else []
    return _json({"text": "\n".join([*lines, *link])})


def _slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def teams(body: AlertBody) -> bytes:
    """Return an adaptive card for a Teams workflow; its text blocks contain no Markdown."""
    blocks: list[dict[str, object]] = [_block(body.alert, weight="Bolder")]
    blocks += [_block(line) for line in body.displayed_lines]
    card: dict[str, object] = {"type": "AdaptiveCard", "version": "1.4", "body": blocks}
    if body.link:
        card["actions"] = [{"type": "Action.OpenUrl", "title": "benchlab", "url": body.link}]
    kind = "application/vnd.microsoft.card.adaptive"
    return _json({"type": "message", "attachments": [{"contentType": kind, "content": card}]})


def _block(text: str, **more: str) -> dict[str, object]:
    inline = {"type": "TextRun", "text": text, **more}
    return {"type": "RichTextBlock", "inlines": [inline]}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


BODIES = {"generic": generic, "slack": slack, "teams": teams}
