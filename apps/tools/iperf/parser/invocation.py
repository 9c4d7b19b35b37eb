"""Parse a command line of iperf3 or iperf 2 to plan parameters.

Sizes in iperf3: k, m and g are powers of 1024; rates are powers of 1000. In iperf 2 small letters
are powers of 1000 and capital ones powers of 1024, also for rates.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from apps.tools.iperf.fields import HOST
from apps.tools.iperf.params import MBIT, PORTS
from apps.tools.values import Parameters

from .options import OPTIONS, UNREAD, Option, long_option

MAX_LENGTH = 4_000
# Default rate of UDP: 1 Mbit/s, which both programs define in powers of 1024.
UDP_RATE = 1024 * 1024
_COMMAND = re.compile(
    r"(?:^|[^\w.-])(?P<program>iperf3?)(?:\.exe)?"
    r"(?P<rest>\s(?:<[\w .-]{1,60}>|[^|;&<>`)])*)(?P<end>.?)"
)
# A word of a sentence: both programs accept options only.
_PROSE = re.compile(r"[A-Za-z][a-z'-]{0,30}[,.:;!?]?")
_LOOP = re.compile(r"(?:^|\s)(?:for|while|until)\s.*[;\s]do\s")
_NUMBER = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)([kmgtKMGT]?)")
_NUMBERS = ("streams", "omit", "seconds", "mss", "bytes", "blocks", "length", "window")
_FLAGS = ("no_delay", "zero_copy")
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_LARGEST = 2**53
Value = int | float


@dataclass(frozen=True)
class Invocation:
    """One command.

    - `params`: plan parameters of its test.
    - `unread`: options that may change the test and are no parameters.
    - `again`: a loop around it repeats the call.
    """

    program: str
    host: str
    server: bool
    params: Parameters
    unread: tuple[str, ...]
    line: int = 0
    repeats: bool = False


def find_invocations(line: str, number: int = 0) -> list[Invocation]:
    """Return the commands of a line that test or serve. `number`: the line number."""
    if "iperf" not in line:
        return []
    line = line[:MAX_LENGTH]
    repeats = _LOOP.search(line) is not None
    invocations = []
    for command in _COMMAND.finditer(line):
        program = "iperf3" if command["program"] == "iperf3" else "iperf2"
        rest = command["rest"]
        if command["end"] in ("<", ">"):
            rest = re.sub(r"\s\d$", "", rest)  # "2>&1"
        invocation = invocation_of(program, _words(rest))
        if invocation and not any(_PROSE.fullmatch(word) for word in invocation.unread):
            invocations.append(replace(invocation, line=number, repeats=repeats))
    return invocations


def invocation_of(program: str, words: Sequence[str]) -> Invocation | None:
    """Return the test of a program ("iperf3", "iperf2") with these arguments.

    None for a command that neither connects nor serves.
    """
    options = list(options_of(program, words))
    given = {option.meaning: value for option, value, _word in options}
    server = "server" in given
    host = given.get("host") or ""
    if not (server or host):
        return None
    test = _Test(program, given, {option.meaning: word for option, _value, word in options})
    params = test.params()
    unread = [word for option, _value, word in options if option.meaning == UNREAD]
    return Invocation(program, host, server, params, (*unread, *test.unread))


def _words(rest: str) -> list[str]:
    """Return the words of a command, up to a comment."""
    try:
        words = shlex.split(rest)
    except ValueError:
        words = [word.strip("\"'") for word in rest.split()]
    end = next((index for index, word in enumerate(words) if word.startswith("#")), len(words))
    return [word for word in words[:end] if word != "\\"]


def options_of(program: str, words: Sequence[str]) -> Iterator[tuple[Option, str | None, str]]:
    """Yield each option with its value and its text."""
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word.startswith("--"):
            yield _long(program, word, rest)
        elif word.startswith("-") and len(word) > 1:
            yield from _short(program, word, rest)
        else:
            yield Option(UNREAD, ""), None, word


def _long(program: str, word: str, rest: list[str]) -> tuple[Option, str | None, str]:
    name, equals, value = word[2:].partition("=")
    option = long_option(program, name) or Option(UNREAD, "?")
    if equals or option.value != "=" or not rest:
        return option, value if equals else None, word
    value = rest.pop()
    return option, value, f"{word} {value}"


def _short(program: str, word: str, rest: list[str]) -> Iterator[tuple[Option, str | None, str]]:
    """Yield the letters after one dash: flags, then possibly an option with its value."""
    for index, letter in enumerate(word[1:], 2):
        option = OPTIONS[program].get(letter) or Option(UNREAD, "")
        if option.value != "=":
            yield option, None, f"-{letter}"
            continue
        attached = word[index:]
        value = attached or (rest.pop() if rest else None)
        yield option, value, f"-{letter} {value}"
        return


class _Test:
    """Options of one call as parameters. `unread`: options with an unknown value."""

    def __init__(
        self, program: str, given: Mapping[str, str | None], words: Mapping[str, str]
    ) -> None:
        self.program, self.given, self.words = program, given, words
        self.unread: list[str] = []
        self.protocol = next((name for name in ("sctp", "udp") if name in given), "tcp")

    def params(self) -> Parameters:
        """Return the given parameters and those with a default."""
        given = self.given
        params: Parameters = {
            "program": self.program,
            "protocol": self.protocol,
            "direction": self._direction(),
            "streams": 1,
            "omit": 0,
            "congestion": given.get("congestion") or HOST,
            **{name: name in given for name in _FLAGS},
            **{name: True for name in ("dualtest", "tradeoff") if name in given},
        }
        if given.keys().isdisjoint(("bytes", "blocks")):
            params["seconds"] = 10
        for name in _NUMBERS:
            if name in given:
                params.pop(name, None)
                params |= self._sized(name)
        return params | self._tos() | self._port() | self._rate()

    def _direction(self) -> str:
        if self.given.keys() & {"bidirectional", "dualtest"}:
            return "bidirectional"
        return "reverse" if "reverse" in self.given else "forward"

    def _sized(self, name: str) -> Parameters:
        value = number_of(self.given[name], decimal=False, program=self.program)
        return self._param(name, value)

    def _param(self, name: str, value: Value | None, option: str = "") -> Parameters:
        """Return the parameter, or nothing if its value is invalid."""
        if value is None:
            self.unread.append(self.words[option or name])
            return {}
        return {name: value}

    def _tos(self) -> Parameters:
        params: Parameters = {}
        for name, shift in (("tos", 0), ("dscp", 2)):
            if name in self.given:
                value = _prefixed(self.given[name])
                params |= self._param("tos", None if value is None else value << shift, name)
        return params if params.get("tos") else {}

    def _port(self) -> Parameters:
        if "port" not in self.given:
            return {}
        params = self._param("port", _prefixed(self.given["port"]))
        return {} if params.get("port") == PORTS[self.program] else params

    def _rate(self) -> Parameters:
        """Return the rate in Mbit/s.

        TCP without a limit has none; UDP has the program's default.
        """
        if "rate" not in self.given:
            return rate_param(UDP_RATE) if self.protocol == "udp" else {}
        bits = number_of(self.given["rate"], decimal=True, program=self.program)
        if bits is None:
            return self._param("rate", None)
        return rate_param(bits) if bits or self.protocol == "udp" else {}


def rate_param(bits: float) -> Parameters:
    """Return bits per second as the parameter `rate`."""
    value = bits / MBIT
    return {"rate": int(value) if value.is_integer() else value}


def number_of(text: str | None, *, decimal: bool, program: str) -> Value | None:
    """Parse a number with a suffix of the program; None if invalid.

    `decimal`: iperf3 uses powers of 1000 for it.
    """
    match = _NUMBER.fullmatch(text or "")
    if not match:
        return None
    if program == "iperf2":
        decimal = match[2].islower()
    value = float(match[1]) * float((1000 if decimal else 1024) ** _POWERS[match[2].lower()])
    if value > _LARGEST:
        return None
    return int(value) if value.is_integer() else value


def _prefixed(text: str | None) -> int | None:
    """Parse a whole number: decimal, 0x... or 0..."""
    if not re.fullmatch(r"0[xX][0-9a-fA-F]{1,8}|\d{1,9}", text or ""):
        return None
    text = text or ""
    if text[:2].lower() == "0x":
        return int(text, 16)
    octal = len(text) > 1 and text[0] == "0" and not set(text) & set("89")
    return int(text, 8 if octal else 10)
