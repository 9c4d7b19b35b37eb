"""The beginning of a line before its command: prompts of shells, numbers and marks of lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["", "prompt", "sign", "hash", "list"]
# `[user@host dir]# `, `(env) user@host:~$ `, `node1:~ # `, `C:\>`, `bash-5.1$ `: a command follows.
_CERTAIN = re.compile(
    r"""(?:\([\w.-]{1,40}\)\s?)?(?:
        \[[^\[\]@]{0,60}@[^\[\]]{1,120}\]{1,2}\s?[#$%>]
      | [\w.-]{1,60}@[\w.-]{1,80}(?:[:\s][^#$%>|;=]{0,120})?[#$%>]
      | [\w.-]{1,60}:[~/][^#$%>\s|;=]{0,120}\s?[#$%>]
      | (?:PS\s)?[A-Za-z]:\\[^>|"]{0,160}>
      | (?:ba|z|k|da|a)?sh-\d[\d.]{0,8}[#$]
    )\s*""",
    re.VERBOSE,
)
# `[node1]# ` and `node1# `: only where a known command follows.
_LIKELY = re.compile(r"(?:\[[^\[\]]{1,120}\]\s?[#$%>]|[\w.~/-]{1,60}\s?[#$%>❯])\s*")
_SIGN = re.compile(r"(?:[$%>+❯➜»]\s*(?:~\s+)?)")
# A command between the backquotes of Markdown, behind a few words.
_INLINE = re.compile(r"([^`]{0,120})`([^`]{3,2000})`[\s.,;:)。，；）]*$")
_HASH = re.compile(r"#+\s*")
_LIST = re.compile(r"(?:[^\x00-\x7f\w]|\w){0,12}?[:：]?\s?(?:\(?\d{1,3}[.)、:：]|[-*•·])\s*")


@dataclass(frozen=True)
class Begun:
    """The command of a line, what stands before it, and what that is."""

    rest: str
    before: str = ""
    kind: Kind = ""


def without_prompt(line: str, is_command: Callable[[str], bool]) -> Begun:
    """The line behind its prompt. `is_command`: whether a text begins with a known command; a sign
    alone is a prompt only before one."""
    text = _unmarked(line.strip())
    if is_command(text):
        return Begun(text)
    if (match := _CERTAIN.match(text)) and match.end() < len(text):
        return Begun(_inner(text[match.end() :], is_command), match[0].strip(), "prompt")
    if quoted := _INLINE.match(text):
        inner = quoted[2].strip()
        if is_command(inner) and " -" in inner:
            return Begun(inner, quoted[1].strip(), "list")
    kinds: tuple[tuple[re.Pattern[str], Kind], ...] = (
        (_HASH, "hash"),
        (_SIGN, "sign"),
        (_LIKELY, "prompt"),
        (_LIST, "list"),
    )
    for pattern, kind in kinds:
        match = pattern.match(text)
        if match and match.end() and is_command(_unmarked(text[match.end() :])):
            return Begun(_unmarked(text[match.end() :]), match[0].strip(), kind)
    return Begun(text)


def _inner(text: str, is_command: Callable[[str], bool]) -> str:
    """Behind a prompt a second sign may stand: `user@host:~$ # fio` is no comment there."""
    match = re.match(r"[#$]\s*", text)
    return text[match.end() :] if match and is_command(text[match.end() :]) else text


def _unmarked(text: str) -> str:
    """Without the backquotes of Markdown around the whole text."""
    marks = len(text) - len(text.lstrip("`"))
    whole = 0 < marks < 3 and len(text) > 2 * marks and text.endswith("`" * marks)
    inside = text[marks:-marks].strip() if whole else text
    return inside if "`" not in inside or not whole else text
