"""Words and redirections of one command."""

from __future__ import annotations

from collections.abc import Sequence

from .expansion import Scope, single
from .nodes import Simple

SHELLS = frozenset({".", "source", "sh", "bash", "dash", "ksh", "zsh"})
# Programs around another shell that do not change the measurement.
_SHELL_WRAPPERS = frozenset({"sudo", "time", "nohup", "exec"})


def shell_call(argv: Sequence[str]) -> list[str]:
    """Return the words of a call of another shell without the programs around it."""
    words = list(argv)
    while (
        len(words) > 2
        and words[0] in _SHELL_WRAPPERS
        and words[1] in (*_SHELL_WRAPPERS, *SHELLS, "su")
    ):
        words.pop(0)
    if words[:1] == ["eval"]:
        words = ["sh", "-c", " ".join(words[1:])]
    if words[:1] == ["su"] and "-c" in words[:-1]:
        words = ["sh", *words[words.index("-c") :]]
    return words


def redirections_of(node: Simple, scope: Scope) -> tuple[str, str, tuple[str, ...]]:
    """Return the files of stdin and stdout ("" if none), and all redirections as text."""
    ends = {"<": "", ">": ""}
    redirected = []
    for each in node.redirections:
        target = single(each.target, scope)
        redirected.append(f"{each.descriptor}{each.sign}{target}")
        if each.sign in ("<", ">", ">>", ">|", "&>", "&>>") and each.descriptor in ("", "1"):
            side = "<" if each.sign == "<" else ">"
            ends[side] = target
    return ends["<"], ends[">"], tuple(redirected)
