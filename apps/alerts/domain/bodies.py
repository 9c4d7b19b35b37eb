"""Bodies of notifications in the formats of their receivers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

MAX_LINES = 20
MAX_LINE_CHARACTERS = 500
MAX_LINK_BYTES = 1_000
"""A longer link, of a long query, is omitted where the receiver limits the size."""
DINGTALK_BYTES = 20_000
"""Limit of a whole body (error 460101)."""
WECOM_BYTES = 4_096
"""Limit of the Markdown text."""
FEISHU_BYTES = 20_000
"""Limit of a whole body."""

Content = dict[str, object]
"""JSON object of a body, before it is signed and encoded."""


@dataclass(frozen=True)
class AlertBody:
    """Alert name, one line per cause, and the link; absolute if BENCHLAB_PUBLIC_URL is set.

    `summarised`: the first line summarises the others, so it is the subject.
    """

    alert: str
    lines: Sequence[str]
    link: str = ""
    summarised: bool = False

    @property
    def displayed_lines(self) -> list[str]:
        """Return the lines that fit; the last one counts the omitted ones."""
        return self.first_lines(MAX_LINES)

    def first_lines(self, limit: int) -> list[str]:
        """Return at most `limit` lines, and one that counts the omitted ones."""
        lines = [line[:MAX_LINE_CHARACTERS] for line in self.lines[:limit]]
        left = len(self.lines) - len(lines)
        if not left:
            return lines
        return [*lines, ngettext("… %(n)d more", "… %(n)d more", left) % {"n": left}]

    @property
    def title(self) -> str:
        """Return the title, one line; receivers that require a keyword get `benchlab`."""
        return _one_line(f"benchlab: {self.alert}")

    @property
    def subject(self) -> str:
        """Return the e-mail subject, one line."""
        count = len(self.lines)
        causes = ngettext("%(n)d cause", "%(n)d causes", count) % {"n": count}
        first = self.lines[0] if count == 1 or self.summarised else causes
        return _one_line(": ".join(filter(None, ("benchlab", self.alert, first))))[:200]

    @property
    def text(self) -> str:
        """Return the plain text."""
        return "\n".join([*self.displayed_lines, *(["", self.link] if self.link else [])]) + "\n"


def generic(body: AlertBody) -> Content:
    """Return {"alert", "lines", "link"}."""
    return {"alert": body.alert, "lines": list(body.lines), "link": body.link}


def slack(body: AlertBody) -> Content:
    """Return the body of a Slack incoming webhook.

    &, < and > are escaped, because they start mentions and links.
    """
    lines = [f"*{_slack(body.alert)}*", *(f"• {_slack(line)}" for line in body.displayed_lines)]
    link = [f"<{body.link}>"] if body.link else []
    return {"text": "\n".join([*lines, *link])}


def _slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def teams(body: AlertBody) -> Content:
    """Return an adaptive card for a Teams workflow; its text blocks contain no Markdown."""
    blocks: list[Content] = [_block(body.alert, weight="Bolder")]
    blocks += [_block(line) for line in body.displayed_lines]
    card: Content = {"type": "AdaptiveCard", "version": "1.4", "body": blocks}
    if body.link:
        card["actions"] = [{"type": "Action.OpenUrl", "title": "benchlab", "url": body.link}]
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "content": card}]}


def _block(text: str, **more: str) -> Content:
    inline = {"type": "TextRun", "text": text, **more}
    return {"type": "RichTextBlock", "inlines": [inline]}


def dingtalk(body: AlertBody) -> Content:
    """Return a Markdown message of a DingTalk robot. It mentions nobody."""

    def content(lines: Sequence[str], link: str) -> Content:
        text = _markdown(body, lines, link)
        return {"msgtype": "markdown", "markdown": {"title": body.subject, "text": text}}

    return _fitting(body, content, DINGTALK_BYTES, lambda one: len(encode(one)))


def wecom(body: AlertBody) -> Content:
    """Return a Markdown message of a WeCom group robot. It mentions nobody."""

    def content(lines: Sequence[str], link: str) -> Content:
        return {"msgtype": "markdown", "markdown": {"content": _markdown(body, lines, link)}}

    def size(one: Content) -> int:
        markdown = one["markdown"]
        assert isinstance(markdown, dict)
        return len(str(markdown["content"]).encode())

    return _fitting(body, content, WECOM_BYTES, size)


def _markdown(body: AlertBody, lines: Sequence[str], link: str) -> str:
    """Return a heading, a list and the link; DingTalk ends a paragraph at an empty line."""
    texts = [f"### {_inert(body.title)}", *(f"- {_inert(line)}" for line in lines)]
    return "\n\n".join([*texts, *([f"[benchlab]({link})"] if link else [])])


_INERT = str.maketrans({"<": "＜", ">": "＞", "[": "［", "]": "］"})
"""Signs that begin a mention (WeCom: <@name>), HTML, a link or a picture, and full-width ones.

The receivers document no escape that all of their clients honour.
"""


def _inert(text: str) -> str:
    """Return text that Markdown does not make a mention, a link, a picture or several lines of."""
    return _one_line(text).translate(_INERT)


def feishu(body: AlertBody) -> Content:
    """Return a rich text message of a Feishu or Lark robot, whose text elements have no markup."""

    def content(lines: Sequence[str], link: str) -> Content:
        rows: list[list[Content]] = [[{"tag": "text", "text": _one_line(line)}] for line in lines]
        if link:
            rows.append([{"tag": "a", "text": "benchlab", "href": link}])
        post = {"zh_cn": {"title": body.title, "content": rows}}
        return {"msg_type": "post", "content": {"post": post}}

    return _fitting(body, content, FEISHU_BYTES, lambda one: len(encode(one)))


def _fitting(
    body: AlertBody,
    content: Callable[[Sequence[str], str], Content],
    limit: int,
    size: Callable[[Content], int],
) -> Content:
    """Return the content with as many lines as the receiver takes; one line always fits."""
    link = body.link if len(body.link.encode()) <= MAX_LINK_BYTES else ""
    count = min(len(body.lines), MAX_LINES)
    while count > 1 and size(content(body.first_lines(count), link)) > limit:
        count -= 1
    return content(body.first_lines(count), link)


def _one_line(text: str) -> str:
    """Return text without line breaks and control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def encode(content: Content) -> bytes:
    """Return the bytes of a body."""
    return json.dumps(content, ensure_ascii=False).encode()
