"""Expansion of words: variables, braces and literal lists; nothing is executed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.tools.messages import TranslatableMessage, error_message, message

from .arithmetic import NotCalculated, result_of
from .words import ShellError, Word, WordPart, tokens_of

MAX_WORDS = 1000
# Private use characters around the number of an unknown value.
OPEN, CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
NO_ARGUMENTS = message("the text does not call this script with arguments")
_BRACES = re.compile(r"\{([^{}\s]*)\}")
_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})(?:\.\.(-?\d{1,6}))?")
_LETTERS = re.compile(r"([a-zA-Z])\.\.([a-zA-Z])")
_SEQ = re.compile(r"\s*seq\s+(?:-w\s+)?(-?\d{1,6})(?:\s+(-?\d{1,6}))?(?:\s+(-?\d{1,6}))?\s*")
_ECHO = re.compile(r"\s*echo\s+([\w .,/:-]*)")


class Unresolved(ValueError):
    """Value that only a shell on the host can expand; the message gives the reason."""


@dataclass(frozen=True)
class Gap:
    """Unknown value: its text and the reason.

    `of_arguments`: True if a call of the script with arguments would define it.
    """

    text: str
    why: str
    of_arguments: bool = False


@dataclass
class Scope:
    """Variables (several values for an array), arguments, and gaps.

    A gap is an unknown value; a mark replaces it in words. `argument_gaps`: number of uses of gaps
    that depend on arguments.
    """

    variables: dict[str, list[str]] = field(default_factory=dict)
    arguments: Sequence[str] | None = None
    used: set[str] = field(default_factory=set)
    gaps: list[Gap] = field(default_factory=list)
    argument_gaps: int = 0

    def mark(self, gap: Gap) -> str:
        """Return the mark of an unknown value."""
        if gap not in self.gaps:
            self.gaps.append(gap)
        self.argument_gaps += gap.of_arguments
        return f"{OPEN}{self.gaps.index(gap)}{CLOSE}"

    def gaps_in(self, text: str) -> list[Gap]:
        """Return the unknown values in a text."""
        return [self.gaps[int(number)] for number in _MARK.findall(text)]

    def written(self, text: str) -> str:
        """Return the text with each mark replaced by the text of its gap."""
        return _MARK.sub(lambda match: self.gaps[int(match[1])].text, text)

    def values(self, name: str) -> list[str]:
        """Return the values of a variable or argument.

        Raises: Unresolved.
        """
        self.used.add(name)
        if name in ("@", "*") or name.isdigit():
            return self._arguments(name)
        if name not in self.variables:
            raise Unresolved(message("the text sets no variable of this name"))
        values = self.variables[name]
        self.argument_gaps += any(gap.of_arguments for one in values for gap in self.gaps_in(one))
        return values

    def _arguments(self, name: str) -> list[str]:
        if self.arguments is None:
            raise Unresolved(NO_ARGUMENTS)
        if name in ("@", "*"):
            return list(self.arguments)
        index = int(name) - 1
        return [self.arguments[index]] if 0 <= index < len(self.arguments) else [""]


def expanded(word: Word, scope: Scope) -> list[str]:
    """Return the words that one word expands to.

    Raises: Unresolved.
    """
    values = [one for parts in _braces(word.parts) for one in _joined(parts, scope)]
    if len(values) > MAX_WORDS:
        raise Unresolved(message("it stands for more than %(most)d words", most=MAX_WORDS))
    return values


def single(word: Word, scope: Scope) -> str:
    """Return the word as one text, as in an assignment."""
    return "".join(" ".join(_values(part, scope)) for part in word.parts)


def _joined(parts: Sequence[WordPart], scope: Scope) -> list[str]:
    """Join parts; split values of an unquoted variable at blanks."""
    words: list[str] = [""]
    present = False
    for part in parts:
        values = _values(part, scope)
        if part.kind != "text" and not part.quoted:
            values = [piece for value in values for piece in _split(value, scope)]
        present = present or part.quoted or bool(values and any(values))
        if values:
            words[-1] += values[0]
            words += values[1:]
    return words if present else []


def _split(value: str, scope: Scope) -> list[str]:
    """Split the value at blanks, or at the characters of IFS."""
    signs = "".join(scope.variables.get("IFS", [" \t\n"]))
    if not signs:
        return [value]
    return [piece for piece in re.split(f"[{re.escape(signs)}]+", value) if piece]


def _values(part: WordPart, scope: Scope) -> list[str]:
    """Return a part's values, or the mark of a gap."""
    if part.kind == "text":
        return [part.text]
    try:
        return _resolved(part, scope)
    except Unresolved as error:
        of_arguments = error_message(error) == NO_ARGUMENTS
        return [scope.mark(Gap(part.written, error_message(error), of_arguments))]


def _resolved(part: WordPart, scope: Scope) -> list[str]:
    if part.kind == "variable":
        return _variable(part, scope)
    if part.kind == "arithmetic":
        return [str(calculated(part.text, scope))]
    if part.kind == "array":
        return elements(part.text, scope)
    return _printed(part.text)


def _variable(part: WordPart, scope: Scope) -> list[str]:
    if part.default is None:
        return scope.values(part.text)
    try:
        values = scope.values(part.text)
    except Unresolved:
        values = []
    if any(values):
        return values
    if "$" in part.default or "`" in part.default:
        raise Unresolved(message("its usual value is another variable"))
    return [part.default]


def _printed(command: str) -> list[str]:
    """Return the output of `seq 1 4` or `echo 1 2 3`.

    Raises: Unresolved for other commands.
    """
    if match := _SEQ.fullmatch(command):
        numbers = [int(number) for number in match.groups() if number is not None]
        first = numbers[0] if len(numbers) > 1 else 1
        step = numbers[1] if len(numbers) > 2 else 1
        return [str(number) for number in _counted(first, numbers[-1], step)]
    if match := _ECHO.fullmatch(command):
        return match[1].split()
    raise Unresolved(message("benchlab executes no command to get a value"))


def _counted(first: int, last: int, step: int) -> range:
    if not step or abs(last - first) // abs(step) >= MAX_WORDS:
        raise Unresolved(message("it stands for more than %(most)d words", most=MAX_WORDS))
    return range(first, last + (1 if step > 0 else -1), step)


def calculated(text: str, scope: Scope) -> int:
    """Return the value of an arithmetic expression.

    Raises: Unresolved.
    """
    try:
        return result_of(text, lambda name: "".join(scope.values(name)))
    except NotCalculated as error:
        raise Unresolved(message("benchlab calculates whole numbers with + - * / %%")) from error


def elements(text: str, scope: Scope) -> list[str]:
    """Return the elements of an array.

    Raises: Unresolved.
    """
    try:
        words = [token for token in tokens_of(text.replace("\n", " ")) if isinstance(token, Word)]
    except ShellError as error:
        raise Unresolved(error_message(error)) from error
    return [value for word in words for value in expanded(word, scope)]


def _braces(parts: Sequence[WordPart]) -> list[tuple[WordPart, ...]]:
    """Return `a{1,2}` as `a1` and `a2`, for unquoted braces within one literal part."""
    options: list[list[WordPart]] = []
    for part in parts:
        plain = part.kind == "text" and not part.quoted
        texts = _brace_alternatives(part.text) if plain else [part.text]
        options.append([WordPart("text", text) for text in texts] if len(texts) > 1 else [part])
    count = 1
    for each in options:
        count *= len(each)
    if count > MAX_WORDS:
        raise Unresolved(message("it stands for more than %(most)d words", most=MAX_WORDS))
    return list(itertools.product(*options))


def _brace_alternatives(text: str) -> list[str]:
    done = [""]
    end = 0
    for match in _BRACES.finditer(text):
        alternatives = _alternatives(match[1])
        if not alternatives:
            continue
        before = text[end : match.start()]
        done = [head + before + one for head in done for one in alternatives]
        end = match.end()
        if len(done) > MAX_WORDS:
            raise Unresolved(message("it stands for more than %(most)d words", most=MAX_WORDS))
    return [head + text[end:] for head in done]


def _alternatives(text: str) -> list[str]:
    """Return the alternatives between braces; [] if a shell does not expand them."""
    if match := _RANGE.fullmatch(text):
        first, last = int(match[1]), int(match[2])
        step = abs(int(match[3] or 1)) or 1
        padded = any(len(end) > 1 and end.startswith("0") for end in (match[1], match[2]))
        width = max(len(match[1]), len(match[2])) if padded else 0
        counted = _counted(first, last, step if last >= first else -step)
        return [str(number).zfill(width) for number in counted]
    if match := _LETTERS.fullmatch(text):
        first, last = ord(match[1]), ord(match[2])
        return [chr(n) for n in _counted(first, last, 1 if last >= first else -1)]
    return text.split(",") if "," in text else []


def is_unknown(text: str) -> bool:
    """Return True if a text contains the mark of an unknown value."""
    return OPEN in text


def reasons(scope: Scope, words: Sequence[str]) -> TranslatableMessage | None:
    """Return a message about the unknown values in these words."""
    gaps = list(dict.fromkeys(gap for word in words for gap in scope.gaps_in(word)))
    if not gaps:
        return None
    unknown_reasons = list(dict.fromkeys(str(gap.why) for gap in gaps))
    return message(
        "benchlab runs no shell: write values instead of %(names)s (%(why)s).",
        names=", ".join(gap.text for gap in gaps),
        why="; ".join(unknown_reasons),
    )
