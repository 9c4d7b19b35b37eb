"""Words and operators of a shell's line (POSIX.1-2017, Shell Command Language, 2.3), unexpanded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from apps.tools.messages import message

PartKind = Literal["text", "variable", "command", "arithmetic", "array"]
JOINED = "\x0b"
"""Stands where a line went on in the next one: a blank that counts as a row."""
_OPERATOR = re.compile(r"\d?(?:&>>|&>|>&|<&|<<<|<<-|<<|>>|<>|>\||<|>)|\|\||&&|;;|;|\|&|\||&|\(|\)")
_PLAIN = re.compile(r"[^\s'\"\\$`;|&()<>#]+")
_QUOTED = re.compile(r"[^\"\\$`]+")
_VARIABLE = re.compile(r"\$(?:\{([^{}]{1,200})\}|([A-Za-z_]\w{0,60}|[0-9@*#?]))")
_BRACED = re.compile(r"(\w{1,60}|[@*#])(?:\[[@*]\])?(?::?-(.*))?", re.DOTALL)
_ARRAY = re.compile(r"[A-Za-z_]\w{0,60}\+?=")


class ShellError(ValueError):
    """A text that no shell could part into words: the sentence says why."""


@dataclass(frozen=True)
class WordPart:
    """A stretch of a word. `text` is the literal text, the variable's name, or what stands between
    the marks of a substitution; `default` belongs to `${name:-default}`.
    """

    kind: PartKind
    text: str
    quoted: bool = False
    default: str | None = None

    @property
    def written(self) -> str:
        """A substitution as it stands in the text, shortened."""
        short = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        form = {"variable": "$%s", "command": "$(%s)", "arithmetic": "$((%s))", "array": "(%s)"}
        return form.get(self.kind, "%s") % short


@dataclass(frozen=True)
class Word:
    """One word as written, and its parts."""

    raw: str
    parts: tuple[WordPart, ...]
    row: int = 0

    @property
    def literal(self) -> str | None:
        """The word's text where nothing has to be filled in, else None."""
        if any(part.kind != "text" for part in self.parts):
            return None
        return "".join(part.text for part in self.parts)

    @property
    def bare(self) -> str | None:
        """The text of a word without quotes and variables: only such a word can be a keyword."""
        return None if any(part.quoted for part in self.parts) else self.literal


@dataclass(frozen=True)
class Operator:
    """A control operator or a redirection, such as `;`, `&&`, `2>`, or the end of a line."""

    text: str
    row: int = 0


@dataclass(frozen=True)
class CommentToken:
    """Text behind a `#` at the beginning of a word."""

    text: str
    row: int = 0


Token = Word | Operator | CommentToken


def tokens_of(text: str) -> list[Token]:
    """The tokens of a command, each with its row from 0. Raises ShellError."""
    found: list[Token] = []
    place = row = 0
    while place < len(text):
        start = place
        if text[place] == "\n":
            found.append(Operator("\n", row))
            place += 1
        elif text[place].isspace():
            place += 1
        elif text[place] == "#":
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            found.append(CommentToken(text[place + 1 : end].strip(), row))
            place = end
        elif match := _OPERATOR.match(text, place):
            found.append(Operator(match[0], row))
            place = match.end()
        else:
            word, place = _Scanner(text, place, row).word()
            found.append(word)
        row += text.count("\n", start, place) + text.count(JOINED, start, place)
    return found


class _Scanner:
    """One word, from its first character."""

    def __init__(self, text: str, start: int, row: int) -> None:
        self.text, self.start, self.place, self.row = text, start, start, row
        self.parts: list[WordPart] = []

    def word(self) -> tuple[Word, int]:
        """The word, and the place behind it."""
        while self.place < len(self.text) and self._more():
            pass
        raw = self.text[self.start : self.place].replace(JOINED, "")
        return Word(raw, tuple(self.parts), self.row), self.place

    def _more(self) -> bool:
        """Take the next part; false where the word ends."""
        sign = self.text[self.place]
        if sign.isspace() or sign in ";|&)<>":
            return False
        if sign == "(":
            return self._array()
        if sign == "'":
            self._take(self._until("'", self.place + 1), 1, quoted=True)
        elif sign == '"':
            self._double()
        elif sign == "\\":
            self._escape(quoted=False)
        elif sign in "$`":
            self._substitution(quoted=False)
        else:
            match = _PLAIN.match(self.text, self.place)
            end = match.end() if match else self.place + 1
            self._add("text", self.text[self.place : end])
            self.place = end
        return True

    def _take(self, end: int, margin: int, *, quoted: bool) -> None:
        self._add("text", self.text[self.place + margin : end], quoted=quoted)
        self.place = end + margin

    def _until(self, mark: str, start: int) -> int:
        end = self.text.find(mark, start)
        if end < 0:
            raise ShellError(message("A quotation mark is not closed."))
        return end

    def _escape(self, *, quoted: bool) -> None:
        following = self.text[self.place + 1 : self.place + 2]
        # Between double quotes a backslash is itself before most characters.
        kept = "\\" + following if quoted and following not in '"\\$`' else following
        self._add("text", kept, quoted=True)
        self.place += 2

    def _double(self) -> None:
        self.place += 1
        self._add("text", "", quoted=True)
        while True:
            sign = self.text[self.place : self.place + 1]
            if not sign:
                raise ShellError(message("A quotation mark is not closed."))
            if sign == '"':
                self.place += 1
                return
            if sign == "\\":
                self._escape(quoted=True)
            elif sign in "$`":
                self._substitution(quoted=True)
            else:
                match = _QUOTED.match(self.text, self.place)
                assert match is not None  # every other character was handled above
                self._add("text", match[0], quoted=True)
                self.place = match.end()

    def _substitution(self, *, quoted: bool) -> None:
        text, start = self.text, self.place
        if text[start] == "`":
            end = self._until("`", start + 1)
            self._add("command", text[start + 1 : end], quoted=quoted)
            self.place = end + 1
        elif text.startswith("$((", start):
            end = self._closing(start + 1)
            self._add("arithmetic", text[start + 3 : end - 1], quoted=quoted)
            self.place = end + 1
        elif text.startswith("$[", start):
            end = self._until("]", start)
            self._add("arithmetic", text[start + 2 : end], quoted=quoted)
            self.place = end + 1
        elif text.startswith("$(", start):
            end = self._closing(start + 1)
            self._add("command", text[start + 2 : end], quoted=quoted)
            self.place = end + 1
        else:
            self._variable(quoted=quoted)

    def _closing(self, start: int) -> int:
        depth = 0
        for place in range(start, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[place], 0)
            if not depth:
                return place
        raise ShellError(message("A bracket is not closed."))

    def _variable(self, *, quoted: bool) -> None:
        match = _VARIABLE.match(self.text, self.place)
        if match is None:
            self._add("text", "$", quoted=quoted)
            self.place += 1
            return
        self.place = match.end()
        name, default = match[2], None
        if match[1] is not None:
            braced = _BRACED.fullmatch(match[1])
            # Another operator than a default: the name cannot be one of a variable.
            name, default = (braced[1], braced[2]) if braced else (match[1], None)
        self.parts.append(WordPart("variable", name, quoted, default))

    def _array(self) -> bool:
        if not _ARRAY.fullmatch(self.text[self.start : self.place]):
            return False
        end = self._closing(self.place)
        self._add("array", self.text[self.place + 1 : end])
        self.place = end + 1
        return True

    def _add(self, kind: PartKind, text: str, *, quoted: bool = False) -> None:
        self.parts.append(WordPart(kind, text.replace(JOINED, ""), quoted))
