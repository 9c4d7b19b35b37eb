"""Calls that a script would make, from its literal loops, functions and variables.

Nothing is executed on any host.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from apps.tools.messages import message
from apps.tools.pasted_commands.call import Call

from .expansion import Gap, Scope, Unresolved, expanded, single
from .invocation import SHELLS, redirections_of, shell_call
from .nodes import Conditional, ForLoop, Function, Node, Remark, Simple
from .script import nodes_of
from .words import Word, WordPart, tokens_of

MAX_CALLS = 1000
MAX_DEPTH = 12
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w{0,60})(\+?)=")
_DECLARES = frozenset({"export", "local", "declare", "typeset", "readonly"})
_CONDITION_REASONS = {
    "if": message("It is executed only under a condition, which only a host can check."),
    "case": message("It is executed only under a condition, which only a host can check."),
    "while": message("It is repeated for as long as a condition holds."),
    "until": message("It is repeated for as long as a condition holds."),
    "for": message("It is repeated in a loop whose numbers are unknown."),
}


class TooManyCalls(ValueError):
    """Text with more calls than a plan can have."""


@dataclass(frozen=True)
class ScriptComment:
    """Comment with its line."""

    text: str
    line: int


@dataclass
class _NeedsArguments:
    """Part of a script that needs arguments, and its calls without them."""

    node: Node
    line: int
    calls: range


@dataclass
class Runner:
    """Calls and comments of a text, in the order of a shell.

    `is_call`: True if a text contains a call of a benchmark.
    """

    scope: Scope = field(default_factory=Scope)
    calls: list[Call | None] = field(default_factory=list)
    comments: list[ScriptComment] = field(default_factory=list)
    functions: dict[str, tuple[Function, int]] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    files: dict[str, str] = field(default_factory=dict)
    assigned: dict[str, int] = field(default_factory=dict)
    is_call: Callable[[str], bool] = lambda _text: False
    _need_arguments: list[_NeedsArguments] = field(default_factory=list)
    _site: list[int] = field(default_factory=list)
    _loops: list[int] = field(default_factory=list)
    _condition: str = ""
    _line: int = 0
    _loop_count: int = 0

    def run(self, nodes: Sequence[Node], line: int) -> None:
        """Run commands of the text itself; `line`: the line of the first command.

        Raises: TooManyCalls.
        """
        for node in nodes:
            uses, before = self.scope.argument_gaps, len(self.calls)
            self._node(node, line)
            if self.scope.argument_gaps > uses and self.scope.arguments is None:
                self._need_arguments.append(
                    _NeedsArguments(node, line, range(before, len(self.calls)))
                )

    def never_called(self) -> Iterator[tuple[str, int]]:
        """Yield the functions that the text never calls, with their lines."""
        for name, (function, line) in self.functions.items():
            if name not in self.called:
                yield name, line + function.row

    def unused(self) -> Iterator[tuple[str, int]]:
        """Yield the variables that no command uses, with their lines."""
        for name, line in self.assigned.items():
            if name not in self.scope.used:
                yield name, line

    def _node(self, node: Node, line: int) -> None:
        if isinstance(node, Simple):
            self._simple(node, line)
        elif isinstance(node, ForLoop):
            self._loop(node, line)
        elif isinstance(node, Conditional):
            outer = self._condition
            self._condition = outer or _CONDITION_REASONS.get(node.keyword, "")
            self._all(node.body, line)
            self._condition = outer
        elif isinstance(node, Function):
            self.functions[node.name] = (node, line)
        elif isinstance(node, Remark):
            self.comments.append(ScriptComment(node.text, line + node.row))

    def _all(self, nodes: Sequence[Node], line: int) -> None:
        for node in nodes:
            self._node(node, line)

    def _loop(self, node: ForLoop, line: int) -> None:
        self._loop_count += 1
        self._loops.append(self._loop_count)
        for value in self._values(node):
            self.scope.variables[node.name] = [value]
            self._all(node.body, line)
        self._loops.pop()

    def _values(self, node: ForLoop) -> list[str]:
        scope = self.scope
        try:
            if node.counting:
                return node.counting.values(scope)
            if not node.words:
                return scope.values("@")
            return [value for word in node.words for value in expanded(word, scope)]
        except Unresolved:
            why = message("the values of the loop are unknown")
            return [scope.mark(Gap(f"${node.name}", why))]

    def _simple(self, node: Simple, line: int) -> None:
        words = list(node.words)
        where = self._line or line + node.row
        for part in (part for word in words for part in word.parts):
            # A command substitution with a benchmark is a call as well.
            if part.kind == "command" and self.is_call(part.text):
                self._all(nodes_of(tokens_of(part.text)), where)
        while words and self._assign(words[0], where):
            words.pop(0)
        if words and words[0].bare in _DECLARES:
            for word in words[1:]:
                self._assign(word, where)
            return
        if not words and not node.redirections:
            return
        argv = [value for word in words for value in self._expanded(word)]
        self._called(argv, node, line, where)

    def _expanded(self, word: Word) -> list[str]:
        try:
            return expanded(word, self.scope)
        except Unresolved as error:
            return [self.scope.mark(Gap(word.raw[:60], str(error)))]

    def _assign(self, word: Word, line: int) -> bool:
        """Set a variable and return True if the word is an assignment."""
        first = word.parts[0] if word.parts else None
        match = _ASSIGNMENT.match(first.text) if first and first.kind == "text" else None
        if first is None or match is None or first.quoted:
            return False
        rest = (WordPart("text", first.text[match.end() :]), *word.parts[1:])
        value = replace(word, parts=rest)
        name, arrays = match[1], [part for part in rest if part.kind == "array"]
        if arrays:
            values = self._expanded(replace(word, parts=tuple(arrays)))
        else:
            values = [single(value, self.scope)]
        if self._condition:
            values = [self.scope.mark(Gap(f"${name}", message("it is set under a condition")))]
        if match[2]:
            values = [*self.scope.variables.get(name, []), *values]
            values = values if arrays else ["".join(values)]
        self.scope.variables[name] = values
        self.assigned.setdefault(name, line)
        return True

    def _called(self, argv: list[str], node: Simple, line: int, where: int) -> None:
        argv = argv[1:] if argv[:1] == ["!"] else argv
        name = argv[0] if argv else ""
        if name in self.functions:
            self._function(name, argv[1:], where)
        elif name in ("read", "let", "unset"):
            self._read_builtin(argv, node)
        elif argv[:2] == ["set", "--"] and not self._condition:
            self.scope.arguments = argv[2:]
        elif name == "shift":
            self.scope.arguments = self.scope.arguments and self.scope.arguments[1:]
        elif not self._script(argv, where):
            self._call(argv, node, line, where)

    def _read_builtin(self, argv: Sequence[str], node: Simple) -> None:
        """Set the variables of `read a b <<< "4k 32"`; mark those of other forms as unknown."""
        names = [re.split(r"\W", word)[0] for word in argv[1:] if not word.startswith("-")]
        texts = [
            single(each.target, self.scope) for each in node.redirections if each.sign == "<<<"
        ]
        plain = argv[0] == "read" and len(texts) == 1 and not self._condition
        values = texts[0].split(maxsplit=max(0, len(names) - 1)) if plain else []
        why = message("only a shell could fill it in")
        for index, name in enumerate(names):
            filled = [*values[index : index + 1], ""] if plain else []
            self.scope.variables[name] = filled[:1] or [self.scope.mark(Gap(f"${name}", why))]

    def _function(self, name: str, arguments: Sequence[str], where: int) -> None:
        self.called.add(name)
        function, line = self.functions[name]
        self._inside(function.body, line, arguments, where)

    def _inside(
        self, nodes: Sequence[Node], line: int, arguments: Sequence[str], where: int
    ) -> None:
        """Run commands with their own arguments, as calls of the calling line."""
        if len(self._site) >= MAX_DEPTH:
            raise TooManyCalls(message("Functions of this text call each other too deeply."))
        outer, outer_line = self.scope.arguments, self._line
        self.scope.arguments, self._line = list(arguments), where
        self._site.append(where)
        try:
            self._all(nodes, line)
        finally:
            self._site.pop()
            self.scope.arguments, self._line = outer, outer_line

    def _script(self, argv: Sequence[str], where: int) -> bool:
        """Run a script of the text and return True if the words call one.

        A script is a file in the text, or the commands above that use $1, $2 ...
        """
        argv = shell_call(argv)
        words = list(argv[1:]) if argv and argv[0] in SHELLS else list(argv)
        while words and words[0].startswith("-") and argv[0] in SHELLS:
            if words[0] == "-c" and len(words) > 1:
                self._inside(nodes_of(tokens_of(words[1])), where, words[3:], where)
                return True
            words.pop(0)
        name = words[0].rsplit("/", 1)[-1] if words else ""
        if name in self.files and not name.endswith((".fio", ".job", ".ini")):
            nodes = nodes_of(tokens_of(self.files[name]))
            self._inside(nodes, where, words[1:], where)
            return True
        if not name.endswith(".sh") or not self._need_arguments:
            return False
        for part in self._need_arguments:
            for number in part.calls:
                self.calls[number] = None
            self._inside((part.node,), part.line, words[1:], where)
        return True

    def _call(self, argv: Sequence[str], node: Simple, line: int, where: int) -> None:
        if len(self.calls) >= MAX_CALLS:
            raise TooManyCalls(message("This text makes more than %(most)d calls.", most=MAX_CALLS))
        pipe = tuple(
            tuple(value for word in words for value in self._expanded(word)) for words in node.pipe
        )
        stdin, stdout, redirected = redirections_of(node, self.scope)
        self.calls.append(
            Call(
                argv=tuple(argv),
                line=where,
                stdin=stdin,
                stdout=stdout,
                redirected=redirected,
                piped=node.piped,
                pipe=pipe,
                background=node.background,
                otherwise=node.otherwise,
                condition=self._condition,
                site=(*self._site, id(node)),
                loops=tuple(self._loops),
                files=self.files,
            )
        )
