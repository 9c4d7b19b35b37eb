"""Unexpanded words and operators of a shell line.

Grammar: POSIX.1-2017, Shell Command Language, 2.3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from apps.tools.messages import message

PartKind = Literal["text", "variable", "command", "arithmetic", "array"]
JOINED = "\x0b"
"""Marks the end of a line that continues in the next: a blank that counts as a row."""
_OPERATOR = re.compile(r"\d?(?:&>>|&>|>&|<&|<<<|<<-|<<|>>|<>|>\||<|>)|\|\||&&|;;|;|\|&|\||&|\(|\)")
_PLAIN = re.compile(r"[^\s'\"\\$`;|&()<>#]+")
_QUOTED = re.compile(r"[^\"\\$`]+")
_VARIABLE = re.compile(r"\$(?:\{([^{}]{1,200})\}|([A-Za-z_]\w{0,60}|[0-9@*#?]))")
_BRACED = re.compile(r"(\w{1,60}|[@*#])(?:\[[@*]\])?(?::?-(.*))?", re.DOTALL)
_ARRAY = re.compile(r"[A-Za-z_]\w{0,60}\+?=")


class ShellError(ValueError):
    """Text that no shell can split into words; the message gives the reason."""


@dataclass(frozen=True)
class WordPart:
    """Part of a word.

    `text`: the literal text, the variable's name, or the content of a substitution; `default`: that
    of `${name:-default}`.
    """

    kind: PartKind
    text: str
    quoted: bool = False
    default: str | None = None

    @property
    def written(self) -> str:
        """Return a substitution as in the text, shortened."""
        short = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        form = {"variable": "$%s", "command": "$(%s)", "arithmetic": "$((%s))", "array": "(%s)"}
        return form.get(self.kind, "%s") % short


@dataclass(frozen=True)
class Word:
    """Word as written, and its parts."""

    raw: str
    parts: tuple[WordPart, ...]
    row: int = 0

    @property
    def literal(self) -> str | None:
        """Return the word's text if nothing needs expansion, else None."""
        if any(part.kind != "text" for part in self.parts):
            return None
        return "".join(part.text for part in self.parts)

    @property
    def bare(self) -> str | None:
        """Return the text of a word without quotes and variables, else None.

        Only such a word can be a keyword.
        """
        return None if any(part.quoted for part in self.parts) else self.literal


@dataclass(frozen=True)
class Operator:
    """Control operator or redirection, such as `;`, `&&`, `2>`, or the end of a line."""

    text: str
    row: int = 0


@dataclass(frozen=True)
class CommentToken:
    """Text after a `#` at the beginning of a word."""

    text: str
    row: int = 0


Token = Word | Operator | CommentToken


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a command, each with its row from 0.

    Raises: ShellError.
    """
    tokens: list[Token] = []
    index = row = 0
    while index < len(text):
        start = index
        if text[index] == "\n":
            tokens.append(Operator("\n", row))
            index += 1
        elif text[index].isspace():
            index += 1
        elif text[index] == "#":
            end = text.find("\n", index)
            end = len(text) if end < 0 else end
            tokens.append(CommentToken(text[index + 1 : end].strip(), row))
            index = end
        elif match := _OPERATOR.match(text, index):
            tokens.append(Operator(match[0], row))
            index = match.end()
        else:
            word, index = _Scanner(text, index, row).word()
            tokens.append(word)
        row += text.count("\n", start, index) + text.count(JOINED, start, index)
    return tokens


class _Scanner:
    """Scanner of one word."""

    def __init__(self, text: str, start: int, row: int) -> None:
        self.text, self.start, self.index, self.row = text, start, start, row
        self.parts: list[WordPart] = []

    def word(self) -> tuple[Word, int]:
        """Return the word, and the index after it."""
        while self.index < len(self.text) and self._more():
            pass
        raw = self.text[self.start : self.index].replace(JOINED, "")
        return Word(raw, tuple(self.parts), self.row), self.index

    def _more(self) -> bool:
        """Add the next part; return False at the end of the word."""
        sign = self.text[self.index]
        if sign.isspace() or sign in ";|&)<>":
            return False
        if sign == "(":
            return self._array()
        if sign == "'":
            self._take(self._until("'", self.index + 1), 1, quoted=True)
        elif sign == '"':
            self._double()
        elif sign == "\\":
            self._escape(quoted=False)
        elif sign in "$`":
            self._substitution(quoted=False)
        else:
            match = _PLAIN.match(self.text, self.index)
            end = match.end() if match else self.index + 1
            self._add("text", self.text[self.index : end])
            self.index = end
        return True

    def _take(self, end: int, margin: int, *, quoted: bool) -> None:
        self._add("text", self.text[self.index + margin : end], quoted=quoted)
        self.index = end + margin

    def _until(self, mark: str, start: int) -> int:
        end = self.text.find(mark, start)
        if end < 0:
            raise ShellError(message("A quotation mark is not closed."))
        return end

    def _escape(self, *, quoted: bool) -> None:
        following = self.text[self.index + 1 : self.index + 2]
        # Between double quotes a backslash is itself before most characters.
        escaped = "\\" + following if quoted and following not in '"\\$`' else following
        self._add("text", escaped, quoted=True)
        self.index += 2

    def _double(self) -> None:
        self.index += 1
        self._add("text", "", quoted=True)
        while True:
            sign = self.text[self.index : self.index + 1]
            if not sign:
                raise ShellError(message("A quotation mark is not closed."))
            if sign == '"':
                self.index += 1
                return
            if sign == "\\":
                self._escape(quoted=True)
            elif sign in "$`":
                self._substitution(quoted=True)
            else:
                match = _QUOTED.match(self.text, self.index)
                assert match is not None  # every other character was handled above
                self._add("text", match[0], quoted=True)
                self.index = match.end()

    def _substitution(self, *, quoted: bool) -> None:
        text, start = self.text, self.index
        if text[start] == "`":
            end = self._until("`", start + 1)
            self._add("command", text[start + 1 : end], quoted=quoted)
            self.index = end + 1
        elif text.startswith("$((", start):
            end = self._closing(start + 1)
            self._add("arithmetic", text[start + 3 : end - 1], quoted=quoted)
            self.index = end + 1
        elif text.startswith("$[", start):
            end = self._until("]", start)
            self._add("arithmetic", text[start + 2 : end], quoted=quoted)
            self.index = end + 1
        elif text.startswith("$(", start):
            end = self._closing(start + 1)
            self._add("command", text[start + 2 : end], quoted=quoted)
            self.index = end + 1
        else:
            self._variable(quoted=quoted)

    def _closing(self, start: int) -> int:
        depth = 0
        for index in range(start, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[index], 0)
            if not depth:
                return index
        raise ShellError(message("A bracket is not closed."))

    def _variable(self, *, quoted: bool) -> None:
        match = _VARIABLE.match(self.text, self.index)
        if match is None:
            self._add("text", "$", quoted=quoted)
            self.index += 1
            return
        self.index = match.end()
        name, default = match[2], None
        if match[1] is not None:
            braced = _BRACED.fullmatch(match[1])
            # Another operator than a default: use the whole text as name, which no variable can
            # have.
            name, default = (braced[1], braced[2]) if braced else (match[1], None)
        self.parts.append(WordPart("variable", name, quoted, default))

    def _array(self) -> bool:
        if not _ARRAY.fullmatch(self.text[self.start : self.index]):
            return False
        end = self._closing(self.index)
        self._add("array", self.text[self.index + 1 : end])
        self.index = end + 1
        return True

    def _add(self, kind: PartKind, text: str, *, quoted: bool = False) -> None:
        self.parts.append(WordPart(kind, text.replace(JOINED, ""), quoted))
