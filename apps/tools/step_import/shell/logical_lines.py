"""Logical lines of a pasted text: continuations joined, prompts removed, each with its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .prompts import Kind as PromptKind
from .prompts import without_prompt
from .signs import is_changed, plain
from .words import JOINED

LineKind = Literal["blank", "fence", "command", "comment", "commented", "file", "conf", "other"]
MAX_JOINED_LINES = 200
MAX_QUOTED_LINES = 30
_CONTINUES = re.compile(r"(?:\\|\s\^)\s*$")
_SECOND_PROMPT = re.compile(r"^>\s+")
_OPENS = re.compile(r"(?:^|[;&|]\s*|\bdo\s+|\bthen\s+)(?:for|while|until|if|case|select)\s")
_FUNCTION = re.compile(r"^\s*(?:function\s+[\w-]+\s*(?:\(\))?|[\w-]+\s*\(\))\s*\{?\s*$|\{\s*$")
_CLOSES = re.compile(r"(?:^|[;&]\s*)(?:done|fi|esac)\b")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})\s*[\w.+-]*\s*$")
_OPTION = re.compile(r"^\s+--?[A-Za-z]|^--[A-Za-z]|^-[A-Za-z]\w*=")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w{1,40})\1")
_SECTION = re.compile(r"^\[[^\[\]]{1,200}\]\s*(?:[;#].*)?$")
_OPTION_LINE = re.compile(r"[A-Za-z_]\w{0,40}\s*=.*$")
_CONF_LINE = re.compile(r"\s*(?:[;#].*|\[[^\[\]]{1,200}\].*|[A-Za-z_][\w ]{0,60}=.*)?$")
_CEPH_LINE = re.compile(
    r"\[(?:osd|mon|mds|mgr|client)[\].]"
    r"|(?:fsid|(?:auth|mon|osd|ms|public|cluster)[ _]\w[\w ]{0,60})\s*="
)
_JOB_LINE = re.compile(
    r"^(?:[;#].*|\[[^\[\]]{1,200}\].*|[A-Za-z_]\w{0,40}\s*(?:=.*)?|include\s.*)?$"
)


@dataclass(frozen=True)
class LogicalLine:
    """Logical line of a text.

    `first`, `last`: its lines in the text, from 1. `before`: the removed prompt. `body`: the lines
    of a file or of a here-document.
    """

    first: int
    last: int
    text: str
    kind: LineKind = "other"
    before: str = ""
    prompt: PromptKind = ""
    body: str = ""
    changed: bool = False
    wrapped: bool = False


def lines_of(
    text: str, is_command: Callable[[str], bool], is_call: Callable[[str], bool]
) -> list[LogicalLine]:
    """Return the logical lines of a text.

    `is_command`: True if a line begins a command; `is_call`: True if it contains a call of a
    benchmark.
    """
    rows = [plain(row) for row in text.replace("\r\n", "\n").split("\n")]
    originals = text.replace("\r\n", "\n").split("\n")
    result = list(_read(rows, is_command))
    result = [
        replace(line, changed=any(map(is_changed, originals[line.first - 1 : line.last])))
        if line.kind in ("command", "commented")
        else line
        for line in result
    ]
    return _with_comments(result, is_call)


def _read(rows: Sequence[str], is_command: Callable[[str], bool]) -> Iterator[LogicalLine]:
    index = 0
    while index < len(rows):
        line = _next(rows, index, is_command)
        yield line
        index = line.last


def _next(rows: Sequence[str], index: int, is_command: Callable[[str], bool]) -> LogicalLine:
    row = rows[index]
    number = index + 1
    if not row.strip():
        return LogicalLine(number, number, "", "blank")
    if _FENCE.match(row):
        return LogicalLine(number, number, row, "fence")
    command = without_prompt(row, is_command)
    if command.kind == "" and _SECTION.match(row.strip()):
        return _job_file(rows, index, is_command)
    if command.kind == "" and not is_command(command.rest):
        kind: LineKind = "comment" if row.lstrip().startswith("#") else "other"
        return LogicalLine(number, number, row.strip(), kind)
    line = LogicalLine(number, number, command.rest, "command", command.before, command.kind)
    return _heredoc(rows, _compound(rows, _continued(rows, line, is_command)))


def _continued(
    rows: Sequence[str], line: LogicalLine, is_command: Callable[[str], bool]
) -> LogicalLine:
    """Return the line joined with its continuation lines.

    These are lines after a trailing backslash, and wrapped lines that begin with an option.
    """
    text, last, wrapped = line.text, line.last, False
    while last < len(rows) and last - line.first < MAX_JOINED_LINES:
        following = rows[last].strip()
        if match := _CONTINUES.search(text):
            text = text[: match.start()] + JOINED + _SECOND_PROMPT.sub("", following)
        elif _OPTION.match(rows[last]) and not is_command(following):
            text, wrapped = text + JOINED + following, True
        else:
            break
        last += 1
    quoted = replace(line, text=_CONTINUES.sub("", text), last=last, wrapped=wrapped)
    return _closed(rows, quoted)


def _closed(rows: Sequence[str], line: LogicalLine) -> LogicalLine:
    """Return the line joined up to the end of an open quotation."""
    mark = _open_quote(line.text, "")
    text = line.text
    for last in range(
        line.last, min(len(rows), line.last + MAX_QUOTED_LINES) if mark else line.last
    ):
        text = f"{text}\n{rows[last]}"
        mark = _open_quote(rows[last], mark)
        if not mark:
            return replace(line, text=text, last=last + 1)
    return line


def _open_quote(text: str, mark: str) -> str:
    """Return the quotation mark that is open at the text's end.

    `mark`: the quotation mark that is open before the text.
    """
    escaped = False
    for sign in text:
        if escaped:
            escaped = False
        elif sign == "\\" and mark != "'":
            escaped = True
        elif mark:
            mark = "" if sign == mark else mark
        elif sign in "'\"":
            mark = sign
    return mark


def _compound(rows: Sequence[str], line: LogicalLine) -> LogicalLine:
    """Return the line joined up to the end of its loop, condition or function."""
    depth = _depth(line.text)
    text, last = line.text, line.last
    opened = bool(_FUNCTION.search(line.text.split("\n", 1)[0])) and "}" not in line.text
    braces = 1 if opened else 0
    while (depth > 0 or braces > 0) and last < len(rows) and last - line.first < MAX_JOINED_LINES:
        row = _SECOND_PROMPT.sub("", rows[last].strip())
        joins = _CONTINUES.search(text)
        text = text[: joins.start()] + JOINED + row if joins else f"{text}\n{row}"
        depth += _depth(row)
        braces += _braces(row) if opened else 0
        last += 1
    if depth > 0 or braces > 0:
        return line  # never closed: the first line is a separate command
    return replace(line, text=text, last=last)


def _braces(row: str) -> int:
    if row == "{":
        return 0  # the brace of the function's head, on a separate line
    return int(row.endswith(" {") or row.endswith("{ ")) - int(bool(re.match(r"^\}", row)))


def _depth(row: str) -> int:
    row = row.split(" #", 1)[0]
    return len(_OPENS.findall(row)) - len(_CLOSES.findall(row))


def _heredoc(rows: Sequence[str], line: LogicalLine) -> LogicalLine:
    match = _HEREDOC.search(line.text.split("\n", 1)[0])
    if match is None or "<<<" in line.text:
        return line
    for index in range(line.last, len(rows)):
        if rows[index].strip() == match[2]:
            return replace(line, last=index + 1, body="\n".join(rows[line.last : index]))
    return line


def _job_file(rows: Sequence[str], index: int, is_command: Callable[[str], bool]) -> LogicalLine:
    """Return the lines of an INI file from its first section on."""
    above = next((row for row in reversed(rows[:index]) if row.strip()), "")
    prompts = (
        ("prompt", "hash") if without_prompt(above, is_command).kind == "hash" else ("prompt",)
    )
    end = index + 1
    while end < len(rows):
        row = rows[end].strip()
        command = without_prompt(row, is_command)
        ends = command.kind in prompts or (
            command.kind in ("", "sign") and is_command(command.rest)
        )
        if not _OPTION_LINE.match(row) and (ends or not _JOB_LINE.match(row)):
            break
        end += 1
    kind: LineKind = "file"
    if any(_CEPH_LINE.match(row.strip()) for row in rows[index : end + 1]):
        kind = "conf"
        while end < len(rows) and _CONF_LINE.match(rows[end]):
            end += 1
    while end > index + 1 and not rows[end - 1].strip():
        end -= 1
    return LogicalLine(index + 1, end, rows[index].strip(), kind, body="\n".join(rows[index:end]))


def _with_comments(
    lines: Sequence[LogicalLine], is_call: Callable[[str], bool]
) -> list[LogicalLine]:
    """Return the lines with `#` before a command as prompt or as comment.

    `#` is a prompt, unless other commands near it have no prompt: then the command is commented
    out.
    """
    result: list[LogicalLine] = []
    block: list[LogicalLine] = []
    for line in lines:
        if line.kind in ("other", "fence", "file", "conf"):
            result += [*_block(block, is_call), line]
            block = []
        else:
            block.append(line)
    return result + _block(block, is_call)


def _block(lines: Sequence[LogicalLine], is_call: Callable[[str], bool]) -> list[LogicalLine]:
    unprompted = any(line.kind == "command" and not line.prompt for line in lines)
    return [
        replace(line, kind="commented" if is_call(line.text) else "comment")
        if line.prompt == "hash" and unprompted
        else line
        for line in lines
    ]
