"""Messages in the forms that their receivers read. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

MOST_LINES = 20
LONGEST = 500


@dataclass(frozen=True)
class AlertBody:
    """A message: the alert's name, sentences, and the address of what it is about (absolute where
    benchlab knows its own).
    """

    alert: str
    lines: Sequence[str]
    link: str = ""

    @property
    def shown(self) -> list[str]:
        """The lines that fit; the last one says how many are left out."""
        lines = [line[:LONGEST] for line in self.lines[:MOST_LINES]]
        left = len(self.lines) - len(lines)
        return [*lines, *([f"… {left} more"] if left else [])]

    @property
    def subject(self) -> str:
        """One line without breaks."""
        first = self.lines[0] if len(self.lines) == 1 else f"{len(self.lines)} causes"
        return " ".join(f"benchlab: {self.alert}: {first}".split())[:200]

    @property
    def text(self) -> str:
        """The whole as plain text."""
        return "\n".join([*self.shown, *(["", self.link] if self.link else [])]) + "\n"


def generic(told: AlertBody) -> bytes:
    """{"alert", "lines", "link"}."""
    return _json({"alert": told.alert, "lines": list(told.lines), "link": told.link})


def slack(told: AlertBody) -> bytes:
    """Slack's incoming web hook: text in which &, < and > are escaped, as they make mentions and
    links.
    """
    lines = [f"*{_slack(told.alert)}*", *(f"• {_slack(line)}" for line in told.shown)]
    link = [f"<{told.link}>"] if told.link else []
    return _json({"text": "\n".join([*lines, *link])})


def _slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def teams(told: AlertBody) -> bytes:
    """An adaptive card, as Teams' workflows take it; its text blocks are plain runs, without
    Markdown.
    """
    blocks: list[dict[str, object]] = [_block(told.alert, weight="Bolder")]
    blocks += [_block(line) for line in told.shown]
    card: dict[str, object] = {"type": "AdaptiveCard", "version": "1.4", "body": blocks}
    if told.link:
        card["actions"] = [{"type": "Action.OpenUrl", "title": "benchlab", "url": told.link}]
    kind = "application/vnd.microsoft.card.adaptive"
    return _json({"type": "message", "attachments": [{"contentType": kind, "content": card}]})


def _block(text: str, **more: str) -> dict[str, object]:
    inline = {"type": "TextRun", "text": text, **more}
    return {"type": "RichTextBlock", "inlines": [inline]}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


BODIES = {"generic": generic, "slack": slack, "teams": teams}
