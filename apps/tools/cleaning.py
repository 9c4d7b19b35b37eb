"""One cleaning step for the text of every tool: it removes what terminals, mailers and pages added.

Line numbers stay as they are. A file that is cut into pieces (`Output.large`), JSON and binary
files pass through unchanged but for their encoding.
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
    r'^[ \t]*"\w{1,40}":[ \t]*("(?:[^"\\\n]|\\.)*")[ \t]*,?[ \t]*$', re.MULTILINE
)
_DOCUMENT = re.compile(r'\s*(?:\{|\[\s*[{\["])')
# The lines of a text as a list of strings in a JSON document, a line each.
_LISTED = re.compile(r'(?:^[ \t]*"(?:[^"\\\n]|\\.)*",?[ \t]*\n){3,}', re.MULTILINE)
_LEAST_LINES = 3
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
    """Return the text without what is not the tool's; bytes that are no UTF-8 stay as they are."""
    if not is_text(data):
        return data
    plain = clean(data)
    try:
        text = plain.decode()
    except UnicodeDecodeError:
        return data  # an older encoding, which the parser of dd reads itself
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
        return text  # a document, in which such a string is one of its values
    told = frozenset(match[0] for match in _JSON_STRING.finditer(text) if _has_lines(match))
    text = _LISTED.sub(partial(_lines_of, told=told), _JSON_STRING.sub(_unescaped, text))
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]).replace("\u00a0", " "), text)
    return _without_indentation(without_prefixes(_without_quote_marks(text)))


def _has_lines(match: re.Match[str]) -> bool:
    return match[1].count("\\n") >= _LEAST_LINES


def _unescaped(match: re.Match[str]) -> str:
    """The lines of a text that stands as a string in a JSON document."""
    if not _has_lines(match):
        return match[0]
    try:
        inner = str(json.loads(match[1]))
    except ValueError:
        return match[0]
    return f"\n{inner}\n"


def _lines_of(match: re.Match[str], told: Collection[str]) -> str:
    """The strings of a list in a JSON document as the lines that they are; empty ones where the
    same document has them as one string (`told`).
    """
    try:
        lines = json.loads(f"[{match[0].strip().rstrip(',')}]")
    except ValueError:
        return match[0]
    text = json.dumps("\n".join(lines))
    if any(text in string for string in told):
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
    """The quote mark at the beginning of all lines, without the space behind it."""
    match = _MARGIN.match(lines[0]) if len(lines) > 1 else None
    mark = match[0].rstrip() if match else ""
    return mark if mark and all(line.startswith(mark) for line in lines) else ""
