"""Remove what terminals, mail programs and web pages add to the output of a tool.

Line numbers do not change. A file in chunks (`Output.large`), JSON and binary files pass unchanged
except for their encoding.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from apps.tools.line_prefixes import without_prefixes
from apps.tools.parse_result import Output
from apps.tools.text import clean, is_text

MAX_CLEANED = 32 * 1024**2
_STREAMS = ("stdout", "stderr")
_NO_BREAK = ("\u00a0", "\u202f", "\u2007", "\u3000")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]{0,16}[A-Za-z]|\x1b\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)")
_INTERRUPT = re.compile(r"^\^C", re.MULTILINE)
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp);")
_MARGIN = re.compile(r"(?:[>|][ \t]?)+")
# A string of several lines on a line of its own: {"output_text": "Connecting ...\\n..."}.
_JSON_STRING = re.compile(
    r'^[ \t]*"\w{1,40}":[ \t]*("(?:[^"\\\n]|\\.)*")[ \t]*(?:,[ \t]*)?$', re.MULTILINE
)
_DOCUMENT = re.compile(r'\s*(?:\{|\[\s*[{\["])')
# The lines of a text as a list of strings in a JSON document, a line each.
_STRING_LIST = re.compile(r'(?:^[ \t]*"(?:[^"\\\n]|\\.)*",?[ \t]*\n){3,}', re.MULTILINE)
_MIN_LINES = 3
_LINES_CHECKED = 5_000


def cleaned_output(output: Output) -> Output:
    """Return the same output with cleaned standard streams."""
    files = dict(output.files)
    for name in _STREAMS:
        data = files.get(name)
        if data and len(data) <= MAX_CLEANED:
            files[name] = cleaned_text(data)
    return output if files == dict(output.files) else replace(output, files=files)


def cleaned_text(data: bytes) -> bytes:
    """Return the cleaned text; bytes that are not UTF-8 are returned unchanged."""
    if not is_text(data):
        return data
    plain = clean(data)
    try:
        text = plain.decode()
    except UnicodeDecodeError:
        return data  # an older encoding; the parser of dd decodes it
    changed = _without_additions(text)
    return data if changed == text and plain == data else changed.encode()


def _without_additions(text: str) -> str:
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "^C" in text:
        text = _INTERRUPT.sub("", text)
    for space in _NO_BREAK:
        text = text.replace(space, " ")
    if _DOCUMENT.match(text):
        return text  # a JSON document, where such a string is a value
    strings = frozenset(match[0] for match in _JSON_STRING.finditer(text) if _has_lines(match))
    text = _STRING_LIST.sub(partial(_lines_of, strings=strings), _JSON_STRING.sub(_unescaped, text))
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]).replace("\u00a0", " "), text)
    return _without_indentation(without_prefixes(_without_quote_marks(text)))


def _has_lines(match: re.Match[str]) -> bool:
    return match[1].count("\\n") >= _MIN_LINES


def _unescaped(match: re.Match[str]) -> str:
    """Return the lines of a text in a JSON string."""
    if not _has_lines(match):
        return match[0]
    try:
        inner = str(json.loads(match[1]))
    except ValueError:
        return match[0]
    return f"\n{inner}\n"


def _lines_of(match: re.Match[str], strings: Collection[str]) -> str:
    """Return the strings of a JSON list as lines.

    The lines are empty if the same document contains them as one string (`strings`).
    """
    try:
        lines = json.loads(f"[{match[0].strip().rstrip(',')}]")
    except ValueError:
        return match[0]
    text = json.dumps("\n".join(lines))
    if any(text in string for string in strings):
        return "\n" * len(lines)
    return "".join(f"{line.splitlines()[0] if line else ''}\n" for line in lines)


def _without_indentation(text: str) -> str:
    """Remove four spaces or a tab, where every line that is not empty begins with them."""
    lines = text.split("\n")
    for margin in ("    ", "\t"):
        if all(line.startswith(margin) for line in lines if line.strip()):
            return "\n".join(line[len(margin) :] for line in lines)
    return text


def _without_quote_marks(text: str) -> str:
    """Remove the quote marks of a mail, where every line that is not empty has them."""
    lines = text.split("\n")
    mark = _common_mark([line for line in lines[:_LINES_CHECKED] if line.strip()])
    if not mark or any(line.strip() and not line.startswith(mark) for line in lines):
        return text
    width = len(mark)
    unquoted = [
        line[width + 1 :] if line[width : width + 1] == " " else line[width:] for line in lines
    ]
    return "\n".join(unquoted)


def _common_mark(lines: Sequence[str]) -> str:
    """Return the quote mark at the start of all lines, without a trailing space."""
    match = _MARGIN.match(lines[0]) if len(lines) > 1 else None
    mark = match[0].rstrip() if match else ""
    return mark if mark and all(line.startswith(mark) for line in lines) else ""
