"""Recognition of lines that are commands, by the first word and the words after it."""

from __future__ import annotations

import re
from functools import lru_cache

from apps.tools.registry import TOOLS
from apps.tools.step_import import unneeded
from apps.tools.step_import.wrappers import WRAPPERS

_ASSIGNED = r"(?:[A-Za-z_]\w{0,60}=(?:\"[^\"]{0,300}\"|'[^']{0,300}'|[^\s\"']{0,300})\s+){0,10}"
_FIRST = re.compile(rf"{_ASSIGNED}(?P<word>(?![#%>])[^\s;|&()<>'\"`]+)(?P<rest>.*)", re.DOTALL)
_ASSIGNMENT = re.compile(
    r"(?:(?:export|local|declare|readonly)\s+(?:-\w+\s+)?)?[A-Za-z_]\w{0,60}\+?=(?!\s)"
)
_STRUCTURE = re.compile(
    r"(?:for\s+\w+\s+in\s|for\s*\(\(|for\s+\w+\s*;|(?:if|while|until)\s+(?:\[|!|test\s|\(\(|true\b|read\s|:)"
    r"|case\s+\S+\s+in\b|function\s+[\w-]+\s*(?:\(\))?\s*\{?\s*$|[\w-]+\s*\(\)\s*\{?\s*$|#!\s*/)"
)
_SCRIPT = re.compile(
    r"(?:(?:\.|source|bash|sh|zsh|ksh)\s+(?:-\w+\s+)*)?[\w./~-]{0,200}\.sh(?:\s|$)|\./\S"
)
_SHELL = re.compile(r"(?:ba|z|k|da)?sh\s+-\w*c\s|eval\s")
# Text after the name of a command, as opposed to a word of prose.
_ARGUMENTS = re.compile(r"\s*$|.*(?:\s-{1,2}\w|[/$=<>|;&\"'*+]|\s\d|\w\.\w|install)", re.DOTALL)
# Programs whose names are also words that begin a sentence.
_ALSO_WORDS = frozenset(
    {
        *("cut", "date", "emerge", "exit", "export", "find", "free", "git", "head", "history"),
        *("id", "ip", "jobs", "kill", "make", "man", "mount", "perf", "return", "seq", "service"),
        *("set", "shred", "sleep", "snap", "sort", "source", "su", "sync", "tail", "test", "time"),
        *("top", "touch", "trap", "true", "false", "wait", "watch", "which", "break", "continue"),
        *("command", "exec", "nice", "env", "sudo", "timeout", "pkg", "truncate", "echo", "."),
        *(":", "cat", "ls", "clear", "alias", "ps", "python", "brew", "ping", "unlink"),
    }
)
_CONDITION = re.compile(r"\[{1,2}\s.*\s\]{1,2}\s*(?:[;&|].*)?$", re.DOTALL)
_CALL = re.compile(
    r"\s+(?:[\"']?-{1,2}[A-Za-z+]|-?\s*<|\S*=|(?:bench|create|map|unmap|rm|ls|info|pool|help)\b|[\"']?\$|\S+\.(?:fio|job|ini)\b)"
)
_ASSIGNED_PROGRAM = re.compile(
    r"^\s*(?:(?:export|local|readonly)\s+)?(\w{1,60})=(\"[^\"\n]{1,300}|'[^'\n]{1,300}|\S{1,300})",
    re.MULTILINE,
)
_VARIABLE = re.compile(r"\$\{?(\w{1,60})\}?")
_OPENING = re.compile(r"\A(?:[({]\s*|!\s+)+")
_FUNCTION = re.compile(
    r"^\s*(?:function\s+([\w-]+)\s*(?:\(\))?|([\w-]+)\s*\(\))\s*(?:\{|$)", re.MULTILINE
)


@lru_cache(maxsize=1)
def programs() -> dict[str, str]:
    """Return the name of each program whose commands a tool parses -> the tool."""
    return {name: plugin.name for plugin in TOOLS.values() for name in plugin.command_names}


class Recognition:
    """Recogniser of the commands of one text, including its own functions."""

    def __init__(self, text: str) -> None:
        self.functions = frozenset(a or b for a, b in _FUNCTION.findall(text))
        self.variables = frozenset(
            name
            for name, value in _ASSIGNED_PROGRAM.findall(text)
            if any(is_program(word) for word in value.strip("\"'").split())
        )

    def is_command(self, text: str) -> bool:
        """Return True if a line begins a benchmark, another program, or part of a script."""
        if opening := _OPENING.match(text):
            inner = text[opening.end() :]
            return not _ASSIGNMENT.match(inner) and self.is_command(inner)
        if _ASSIGNMENT.match(text) or _STRUCTURE.match(text) or _SCRIPT.match(text):
            return True
        match = _FIRST.match(text)
        return match is not None and self._begins(match["word"], match["rest"], text)

    def _begins(self, first: str, rest: str, text: str) -> bool:
        """Return True if the first word of a text and the words after it begin a command."""
        word = _base(first)
        if word in self.functions or self._is_variable(word):
            return True
        if word in programs():
            return _CALL.match(rest) is not None
        if word in WRAPPERS:
            return self.is_call(rest) or _ARGUMENTS.match(rest) is not None
        if word in ("[", "[["):
            return _CONDITION.match(text) is not None
        if word.startswith("mkfs") or word == "sysctl" or _SHELL.match(text):
            return True
        is_other = word in unneeded.PROGRAMS
        return is_other and (word not in _ALSO_WORDS or _ARGUMENTS.match(rest) is not None)

    def is_call(self, text: str) -> bool:
        """Return True if a line contains a call of a benchmark or of a function of the text."""
        words = text.split()[:30]
        for index, word in enumerate(words):
            name = _base(word.strip("\"'`;({"))
            if name in self.functions or self._is_variable(name):
                return True
            if name in programs():
                return _CALL.match(" " + " ".join(words[index + 1 :])) is not None
        return False

    def _is_variable(self, word: str) -> bool:
        """Return True if a word is a variable that the text sets to a benchmark's name."""
        match = _VARIABLE.fullmatch(word)
        return match is not None and match[1] in self.variables


def is_program(word: str) -> bool:
    """Return True if a word is a benchmark's name, with or without its folder."""
    return _base(word) in programs()


def _base(word: str) -> str:
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe")
