"""Parser of shell tokens into commands, loops, conditions and functions.

The grammar is that of benchmark scripts (POSIX.1-2017, Shell Command Language, 2.10).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from apps.tools.messages import message

from .counting import counting_of
from .nodes import Conditional, ForLoop, Function, Node, Redirection, Remark, Simple
from .words import CommentToken, Operator, ShellError, Token, Word

_REDIRECTION = re.compile(r"(\d?)(&>>|&>|>&|<&|<<<|<<-|<<|>>|<>|>\||<|>)")
_NAME = re.compile(r"[A-Za-z_]\w{0,60}\Z")
_BLOCKS = {"for": "do", "select": "do", "while": "do", "until": "do", "if": "then"}
_ENDS = {"do": "done", "then": "fi"}
MAX_DEPTH = 20


def nodes_of(tokens: Sequence[Token]) -> tuple[Node, ...]:
    """Return the nodes of a command's tokens.

    Raises: ShellError.
    """
    reader = _Reader(tokens)
    nodes = reader.list_until(())
    if reader.current is not None:
        raise ShellError(
            message("%(word)s stands where no command ends.", word=reader.current_text())
        )
    return tuple(nodes)


def _is_test(nodes: Sequence[Node]) -> bool:
    """Return True if a command only checks a condition: `[ -b /dev/sdb ] && ...`."""
    last = nodes[-1]
    words = last.words if isinstance(last, Simple) else ()
    return bool(words) and words[0].bare in ("[", "[[", "test")


def _in_background(node: Node) -> Node:
    """Return the node with each of its commands in the background."""
    if isinstance(node, Simple):
        return replace(node, background=True)
    if isinstance(node, (ForLoop, Conditional)):
        return replace(node, body=tuple(_in_background(each) for each in node.body))
    return node


@dataclass
class _Reader:
    tokens: Sequence[Token]
    index: int = 0
    depth: int = 0
    ends: list[str] = field(default_factory=list)

    @property
    def current(self) -> Token | None:
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    def current_text(self) -> str:
        token = self.current
        return token.raw if isinstance(token, Word) else token.text if token else ""

    def is_operator(self, *texts: str) -> bool:
        return isinstance(self.current, Operator) and self.current.text in texts

    def is_word(self, *texts: str) -> bool:
        return isinstance(self.current, Word) and self.current.bare in texts

    def skip(self, *texts: str) -> None:
        while self.is_operator(*texts):
            self.index += 1

    def expect(self, word: str) -> None:
        self.skip("\n", ";")
        if not self.is_word(word):
            raise ShellError(message("%(word)s is missing.", word=word))
        self.index += 1

    def list_until(self, ends: tuple[str, ...]) -> list[Node]:
        """Read commands up to one of these words, without the word."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ShellError(message("This is nested too deeply."))
        nodes: list[Node] = []
        otherwise = tested = False
        while True:
            self.skip("\n", ";", "&")
            token = self.current
            if token is None or self.is_word(*ends) or self.is_operator(")", ";;"):
                break
            if isinstance(token, CommentToken):
                nodes.append(Remark(token.text, token.row))
                self.index += 1
                continue
            new = self.pipeline(otherwise=otherwise)
            nodes += [Conditional("if", tuple(new), token.row)] if tested else new
            tested = self.is_operator("&&") and _is_test(new)
            otherwise = self.is_operator("||")
            if isinstance(self.current, Word) or self.is_operator("("):
                why = message("%(word)s stands where no command begins.", word=self.current_text())
                raise ShellError(why)
            self.skip("&&", "||")
        self.depth -= 1
        return nodes

    def pipeline(self, *, otherwise: bool) -> list[Node]:
        """Read commands joined by pipes; each has the following ones as its `pipe`."""
        parts = [self.command()]
        while self.is_operator("|", "|&"):
            self.index += 1
            self.skip("\n")
            parts.append(self.command())
        background = self.is_operator("&")
        simple = [part for part in parts if isinstance(part, Simple)]
        if len(simple) < len(parts):
            return [_in_background(part) for part in parts] if background else list(parts)
        commands = [part.words for part in simple]
        return [
            replace(
                part,
                pipe=tuple(commands[number + 1 :]),
                piped=number > 0,
                background=background,
                otherwise=otherwise,
            )
            for number, part in enumerate(simple)
        ]

    def command(self) -> Node:
        token = self.current
        row = token.row if token else 0
        if isinstance(token, Word):
            if token.bare in ("for", "select"):
                return self.loop(row)
            if token.bare in ("while", "until", "if"):
                return self.conditional(token.bare, row)
            if token.bare == "case":
                return self.cases(row)
            if token.bare == "function" or self.is_function():
                return self.function(row)
            if token.bare == "{":
                self.index += 1
                return Conditional("", self.block("}"), row)
        if self.is_operator("("):
            self.index += 1
            body = tuple(self.list_until(()))
            self.skip(")")
            return Conditional("", body, row)
        return self.simple(row)

    def is_function(self) -> bool:
        following = self.tokens[self.index + 1 : self.index + 3]
        return [t.text for t in following if isinstance(t, Operator)] == ["(", ")"]

    def block(self, end: str) -> tuple[Node, ...]:
        body = self.list_until((end,))
        self.expect(end)
        return tuple(body)

    def loop(self, row: int) -> Node:
        self.index += 1
        if self.is_operator("("):
            return self.counting(row)
        token = self.current
        name = token.bare if isinstance(token, Word) else None
        if name is None or not _NAME.match(name):
            raise ShellError(message("The variable of a for loop is missing."))
        self.index += 1
        self.skip("\n")
        words: list[Word] = []
        if self.is_word("in"):
            self.index += 1
            while isinstance(self.current, Word):
                words.append(self.current)
                self.index += 1
        self.expect("do")
        return ForLoop(name, tuple(words), self.block("done"), row)

    def counting(self, row: int) -> Node:
        """Read `for ((i=1; i<=4; i++))`, whose text is between two pairs of brackets."""
        text = ""
        self.skip("(")
        while self.current is not None and not self.is_operator(")", "\n"):
            text += self.current_text()
            self.index += 1
        self.skip(")")
        self.expect("do")
        body = self.block("done")
        counting = counting_of(text)
        if counting is None:
            return Conditional("for", body, row)
        return ForLoop(counting.name, (), body, row, counting)

    def conditional(self, keyword: str, row: int) -> Node:
        begin = _BLOCKS[keyword]
        end = _ENDS[begin]
        self.index += 1
        body = self.list_until((begin,))
        self.expect(begin)
        while True:
            body += self.list_until((end, "else", "elif", "then"))
            if not self.is_word("else", "elif", "then"):
                break
            self.index += 1
        self.expect(end)
        return Conditional(keyword, tuple(body), row)

    def cases(self, row: int) -> Node:
        body: list[Node] = []
        while self.current is not None and not self.is_word("in"):
            self.index += 1
        self.index += 1
        while self.current is not None and not self.is_word("esac"):
            self.skip("\n", ";;", "(")
            while isinstance(self.current, Word) and not self.is_word("esac"):
                self.index += 1  # the pattern
                self.skip("|")
            self.skip(")")
            body += self.list_until(("esac",))
        self.expect("esac")
        return Conditional("case", tuple(body), row)

    def function(self, row: int) -> Node:
        if self.is_word("function"):
            self.index += 1
        name = self.current_text()
        self.index += 1
        self.skip("(", ")")
        self.skip("\n")
        self.expect("{")
        return Function(name, self.block("}"), row)

    def simple(self, row: int) -> Simple:
        words: list[Word] = []
        redirections: list[Redirection] = []
        while True:
            token = self.current
            if isinstance(token, Word):
                words.append(token)
                self.index += 1
            elif isinstance(token, Operator) and (match := _REDIRECTION.fullmatch(token.text)):
                self.index += 1
                target = self.current
                if not isinstance(target, Word):
                    raise ShellError(
                        message("The name behind %(sign)s is missing.", sign=token.text)
                    )
                redirections.append(Redirection(match[2], match[1], target))
                self.index += 1
            else:
                break
        if not words and not redirections:
            raise ShellError(
                message("%(sign)s stands where a command begins.", sign=self.current_text())
            )
        return Simple(tuple(words), tuple(redirections), row)
