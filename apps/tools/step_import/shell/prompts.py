"""Text before the command of a line: shell prompts, list numbers and bullets."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["", "prompt", "sign", "hash", "list"]
# Prompts before any text: `[user@host dir]# `, `(env) user@host:~$ `, `node1:~ # `, `C:\>`,
# `bash-5.1$ `.
_CERTAIN = re.compile(
    r"""(?:\([\w.-]{1,40}\)\s?)?(?:
        \[[^\[\]@]{0,60}@[^\[\]]{1,120}\]{1,2}\s?[#$%>]
      | [\w.-]{1,60}@[\w.-]{1,80}(?:[:\s][^#$%>|;=]{0,120})?[#$%>]
      | [\w.-]{1,60}:[~/][^#$%>\s|;=]{0,120}(?:\s[\w.-]{1,40})?\s?[#$%>]
      | (?:PS\s)?[A-Za-z]:\\[^>|"]{0,160}>
      | (?:ba|z|k|da|a)?sh-\d[\d.]{0,8}[#$]
    )\s*""",
    re.VERBOSE,
)
# Prompts only before a known command: `[node1]# ` and `node1# `.
_LIKELY = re.compile(r"(?:\[[^\[\]]{1,120}\]\s?[#$%>]|[\w.~/-]{1,60}\s?[#$%>❯])\s*")
_ZSH = re.compile(r"➜\s+\S{1,80}\s+(?:git:\(\S{1,80}\)\s+)?(?:✗\s+)?")
_SIGN = re.compile(r"(?:[└╰─]{1,4}\s?[#$%>❯]|[$%>+❯➜»!])\s*")
_TIME = re.compile(
    r"(?:\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[^\]\s]{0,12}\]?|\[?\d\d:\d\d:\d\d\]?)\s+(?=\S)"
)
# A command between backquotes (Markdown), after a few words.
_INLINE = re.compile(r"([^`]{0,120})`([^`]{3,2000})`[\s.,;:)。，；）]*$")
_VALUE = re.compile(r"\w{1,60}\+?=|[({]")
_HASH = re.compile(r"#+\s*")
# Marks and labels before a command: "1) ", "- ", "2、随机读：", "Random read: ".
_LIST = re.compile(
    r"""(?:[-*•·]\s+
      | [(（]?\d{1,3}[.)、:：）]\s*
      | [^\x00-\x7f]{1,20}\s?\d{0,2}\s?[:：]\s*
      | (?!Command\ line)[A-Za-z][\w ]{0,30}:\s+
    ){1,3}""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class PromptedLine:
    """Command of a line, the text before it, and the kind of that text."""

    rest: str
    before: str = ""
    kind: Kind = ""


def without_prompt(line: str, is_command: Callable[[str], bool]) -> PromptedLine:
    """Return the line without its prompt.

    `is_command`: True if a text begins with a known command; a single sign is a prompt only before
    one.
    """
    text = _unmarked(line.strip())
    if is_command(text):
        return PromptedLine(text)
    if time := _TIME.match(text):
        return _after_time(text, time.end(), is_command)
    if (match := _CERTAIN.match(text)) and match.end() < len(text):
        return PromptedLine(_inner(text[match.end() :], is_command), match[0].strip(), "prompt")
    if quoted := _INLINE.match(text):
        inner = quoted[2].strip()
        if is_command(inner) and " -" in inner:
            return PromptedLine(inner, quoted[1].strip(), "list")
    return _marked(text, is_command)


def _marked(text: str, is_command: Callable[[str], bool]) -> PromptedLine:
    """Return the command after a sign or a label that is a prompt only before a command."""
    kinds: tuple[tuple[re.Pattern[str], Kind], ...] = (
        (_HASH, "hash"),
        (_ZSH, "sign"),
        (_SIGN, "sign"),
        (_LIKELY, "prompt"),
        (_LIST, "list"),
    )
    for pattern, kind in kinds:
        match = pattern.match(text)
        rest = _unmarked(text[match.end() :]) if match and match.end() else ""
        # The "read: IOPS=1000" of a result is not an assignment after a label.
        if match and rest and is_command(rest) and not (kind == "list" and _VALUE.match(rest)):
            return PromptedLine(rest, match[0].strip(), kind)
    return PromptedLine(text)


def _after_time(text: str, end: int, is_command: Callable[[str], bool]) -> PromptedLine:
    """Return the command after a time and an optional prompt."""
    prompted = without_prompt(text[end:], is_command)
    if not prompted.before and not is_command(prompted.rest):
        return PromptedLine(text)
    before = f"{text[:end]}{prompted.before}".strip()
    return PromptedLine(prompted.rest, before, prompted.kind or "prompt")


def _inner(text: str, is_command: Callable[[str], bool]) -> str:
    """Return the text after a second prompt sign: in `user@host:~$ # fio` the # is no comment."""
    match = re.match(r"[#$]\s*", text)
    return text[match.end() :] if match and is_command(text[match.end() :]) else text


def _unmarked(text: str) -> str:
    """Return the text without Markdown backquotes around it."""
    marks = len(text) - len(text.lstrip("`"))
    whole = 0 < marks < 3 and len(text) > 2 * marks and text.endswith("`" * marks)
    inside = text[marks:-marks].strip() if whole else text
    return inside if "`" not in inside or not whole else text
