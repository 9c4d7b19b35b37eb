"""Programs that start another program: sudo, time, taskset and similar."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from apps.tools.messages import message
from apps.tools.param_values import parse_cpus
from apps.tools.pasted_commands.call import Call, CommandError, CommandNote, NoteKind
from apps.tools.translation import gettext_noop as _

_SAME = _("It changes nothing that is measured.")
_AGENT = _("The agent has the rights that a test needs.")
_PRIORITY = _("Tests run with the usual priority.")
_NODES = _("Steps select no memory or CPUs of a NUMA node: a tuning profile pins tests.")
_HOST = _("The targets of the plan select the hosts.")
# Name -> (options that take the next word as value, message).
_PLAIN: Mapping[str, tuple[str, str]] = {
    "sudo": ("u g p C D h r t T", _AGENT),
    "doas": ("u C", _AGENT),
    "time": ("f o", _SAME),
    "gtime": ("f o", _SAME),
    "nohup": ("", _SAME),
    "exec": ("", _SAME),
    "command": ("", _SAME),
    "setsid": ("", _SAME),
    "unbuffer": ("", _SAME),
    "stdbuf": ("i o e", _SAME),
    "env": ("u C S", _SAME),
    "nice": ("n", _PRIORITY),
    "ionice": ("c n p", _PRIORITY),
    "chrt": ("p", _PRIORITY),
    "numactl": ("m N C i p", _NODES),
    "taskset": ("c", ""),
    "ssh": ("p i l o F J E b c D e I L m O Q R S W w", _HOST),
}
# Wrappers with positional words before the program: their number.
_WORDS = {"taskset": 1, "ssh": 1, "chrt": 1}
WRAPPERS = frozenset((*_PLAIN, "timeout"))
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,60}=")
_CPU_OPTION = re.compile(r"(?:-C|--physcpubind)(?:=(.+))?\Z")


@dataclass(frozen=True)
class Unwrapped:
    """The program, notes on its wrappers, and the CPUs it was bound to."""

    call: Call
    notes: tuple[CommandNote, ...] = ()
    cpus: str = ""


def unwrapped(call: Call, is_program: Callable[[str], bool]) -> Unwrapped:
    """Return the call without wrappers.

    Raises: CommandError for a wrapper that changes the test.
    """
    argv = list(call.argv)
    notes: list[CommandNote] = []
    cpus = ""
    while argv:
        name = argv[0].rsplit("/", 1)[-1]
        if _ASSIGNMENT.match(argv[0]):
            notes.append(CommandNote("left", argv.pop(0), _SAME))
            continue
        if name == "timeout":
            reason = message("It may end the tool early: the tool's own run time sets its length.")
            raise CommandError(reason, " ".join(argv[:2]))
        if name not in _PLAIN or (name == "command" and argv[1:2] in (["-v"], ["-V"])):
            break
        wrapper, rest = _split_wrapper(name, argv, is_program)
        if not rest:
            break  # no program follows
        chosen = _cpus(name, wrapper)
        cpus = chosen or cpus
        kind: NoteKind = "understood" if chosen else "left"
        notes.append(CommandNote(kind, " ".join(wrapper), _bound(name, chosen)))
        argv = _split_words(rest[0]) if name == "ssh" and len(rest) == 1 else rest
    return Unwrapped(replace(call, argv=_without_folder(argv)), tuple(notes), cpus)


def _split_words(text: str) -> list[str]:
    """Return the words of a command that another shell receives as one word."""
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if not words or re.search(r"[;|&<>$`]", text):
        reason = message("Another shell runs it: write the command itself.")
        raise CommandError(reason, text[:80])
    return words


def _without_folder(argv: list[str]) -> tuple[str, ...]:
    """Return the words with the program's name without its folder and ".exe"."""
    if not argv:
        return ()
    name = re.split(r"[/\\]", argv[0])[-1].removesuffix(".exe")
    return (name, *argv[1:])


def _split_wrapper(
    name: str, argv: list[str], is_program: Callable[[str], bool]
) -> tuple[list[str], list[str]]:
    """Return the wrapper's words, and those of the program."""
    letters = _PLAIN[name][0].split()
    index, words = 1, _WORDS.get(name, 0)
    while index < len(argv):
        word = argv[index]
        if is_program(word):
            break
        if word == "--":
            index += 1
            break
        if word.startswith("-") and len(word) > 1:
            # taskset's -c has no value: it changes the format of the positional word.
            takes = len(word) == 2 and word[1] in letters and name != "taskset"
            index += 2 if takes else 1
        elif words:
            index, words = index + 1, words - 1
        elif _ASSIGNMENT.match(word) and name in ("env", "sudo"):
            index += 1
        else:
            break
    return argv[:index], argv[index:]


def _cpus(name: str, words: list[str]) -> str:
    """Return the CPUs that taskset or numactl binds a program to, empty for none."""
    cpus = ""
    if name == "taskset":
        listed = any(word.startswith("-c") or word == "--cpu-list" for word in words)
        cpus = words[-1] if listed else _of_mask(words[-1])
    elif name == "numactl":
        for index, word in enumerate(words):
            if match := _CPU_OPTION.match(word):
                cpus = match[1] or " ".join(words[index + 1 : index + 2])
            elif re.match(r"-(?!-)\w*[mNip]|--(?:mem|cpunode|inter|pref|local)", word):
                return ""  # memory is bound as well
    try:
        return parse_cpus(cpus) if cpus else ""
    except ValueError:
        return ""


def _of_mask(text: str) -> str:
    if not re.fullmatch(r"(?:0x)?[0-9a-fA-F]{1,64}", text):
        return ""
    mask = int(text, 16)
    return ",".join(str(cpu) for cpu in range(mask.bit_length()) if mask >> cpu & 1)


def _bound(name: str, cpus: str) -> str:
    if cpus:
        return message("The test is bound to the CPUs %(cpus)s.", cpus=cpus)
    if name == "taskset":
        return message("These CPUs cannot be read; a tuning pins tests to CPUs.")
    return _PLAIN[name][1]
