"""Parse elbencho's table of results: on the screen, and in the file of --resfile."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apps.tools.param_values import parse_size
from apps.tools.parse_result import Measurement
from apps.tools.text import parse_number
from apps.tools.values import Parameters, Values

from .figures import Phase, Rates, measurement_of

_PHASE = re.compile(
    r"^([A-Z][A-Z0-9]{1,30}) {1,20}Elapsed (?:ms|time) {0,20}: {1,20}\S+ {1,20}\S+$"
)
_LINE = re.compile(r"^ {4,20}([A-Z][A-Za-z0-9/% ]{0,30}?) {0,30}: {1,30}(\S.{0,400})$")
_LATENCY = re.compile(r"(min|avg|max)=([\d.]{1,20})(us|ms|s)\b")
_PERCENTILE = re.compile(r"([\d.]{1,10})%<=([\d.]{1,20})")
_COMMAND = re.compile(r'^COMMAND LINE: (".{1,20000})$', re.MULTILINE)
_WORD = re.compile(r'"([^"]{0,2000})"')
_SCALE = {"us": 1.0, "ms": 1e3, "s": 1e6}
_SIZES = {"-b": "bs", "--block": "bs", "-s": "file_size", "--size": "file_size"}
_NUMBERS = {"-t": "threads", "--threads": "threads", "--iodepth": "iodepth"}
_FLAGS = {"--direct": "direct", "--rand": "random"}
_RATES = {"IOPS": "iops", "Throughput MiB/s": "mib"}


def read(text: str) -> list[Measurement]:
    """Return the measurements of all phases. An incomplete last line is ignored."""
    results: list[Measurement] = []
    params: Parameters = {}
    phase: dict[str, str] = {}
    name = ""
    for line in [*text.split("\n")[:-1], "---"]:
        if command := _COMMAND.match(line):
            params = command_params(command[1])
        start, entry = _PHASE.match(line), _LINE.match(line)
        if start or not (entry and name):
            results += _finished(name, phase, params)
            name, phase = (start[1], {}) if start else ("", {})
        elif entry:
            phase[entry[1]] = entry[2]
    return results


def command_params(command: str) -> Parameters:
    """Return the parameters in the words of a COMMAND LINE."""
    words = _WORD.findall(command)
    params: Parameters = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word in _FLAGS:
            params[_FLAGS[word]] = True
        elif word in _NUMBERS and following.isdecimal() and len(following) < 10:
            params[_NUMBERS[word]] = int(following)
        elif word in _SIZES:
            params |= _size(_SIZES[word], following)
        elif word == "--hosts":
            hosts = [host for host in re.split(r"[,\s]+", following) if host]
            # A range in brackets stands for several hosts.
            params |= {"hosts": len(hosts)} if hosts and "[" not in following else {}
    return params


def _size(name: str, text: str) -> Parameters:
    try:
        return {name: parse_size(text)}
    except ValueError:
        return {}


def _finished(name: str, phase: Mapping[str, str], params: Parameters) -> Iterator[Measurement]:
    if not name:
        return
    first, last = ({}, {})  # type: tuple[dict[str, float], dict[str, float]]
    for title, text in phase.items():
        kind = _RATES.get(title) or ("entries" if title.endswith("s/s") else "")
        numbers = text.split()
        if kind and len(numbers) == 2:
            for target, value in zip((first, last), map(parse_number, numbers), strict=True):
                if value is not None:
                    target[kind] = value
    io_latency = _latency(phase.get("IO latency", ""))
    entries = [text for title, text in phase.items() if title.endswith("s latency")]
    bounds = dict(_PERCENTILE.findall(phase.get("IO lat % us", "")))
    more: Values = {}
    if bounds:
        numbers_of = ((name, parse_number(text)) for name, text in bounds.items())
        more["latency_at_most_us"] = {name: at for name, at in numbers_of if at is not None}
    result = Phase(
        name.lower(),
        Rates(**last),
        Rates(**first),
        io_latency,
        _latency(entries[0]) if entries else {},
    )
    if measurement := measurement_of(result, params, more):
        yield measurement


def _latency(text: str) -> Mapping[str, float]:
    values: dict[str, float] = {}
    for name, digits, unit in _LATENCY.findall(text):
        if (value := parse_number(digits)) is not None:
            values[name] = value * _SCALE[unit]
    return values
