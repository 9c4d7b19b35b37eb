"""Two hosts in boxes whose clocks differ, a disk in each, and a case that uses both at once."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, NamedTuple

from tests.e2e.lab import cases, until
from tests.e2e.stack import JSON, Stack
from tests.harness.netns_host import NetnsHost

_number = count(1)
READ = {
    "rw": "randread", "bs": "4k", "iodepth": 4, "size": "16M", "runtime": 3, "time_based": True,
    "rate_iops": 50,
}  # fmt: skip
WRITE = READ | {"rw": "randwrite"}


class Hosts(NamedTuple):
    """A running benchlab without a worker; hosts "east" and "west", a group of a disk of each, and
    one of all three (west has two).
    """

    stack: Stack
    boxes: list[NetnsHost]
    nodes: list[str]
    group: JSON
    three: JSON


def plan_of_group(stack: Stack, group: JSON, params: JSON, **fields: object) -> JSON:
    """A plan of one fio step on a group."""
    body = {
        "name": f"together {next(_number)}",
        "repeats": 1,
        "steps": [{"tool": "fio", "params": params}],
        "targets": [f"group:{group['id']}"],
    }
    made: JSON = stack.post("plans/", body | fields)
    return made


def artifact(stack: Stack, case: JSON, name: str) -> bytes:
    """A stored file of a case's first attempt."""
    content = stack.get(f"cases/{case['id']}/attempts/1/artifacts/{name}/")
    return bytes(content) if isinstance(content, bytes) else json.dumps(content).encode()


def last_document(raw: bytes) -> JSON:
    """fio's final JSON document among its status documents."""
    text = raw.decode()
    found: Any = json.JSONDecoder().raw_decode(text[text.rindex('{\n  "fio version"') :])[0]
    return dict(found)


def in_phase(stack: Stack, run: JSON, phase: str) -> JSON:
    """The run's attempt when its phase is this one."""

    def look() -> list[JSON]:
        attempts = [a for case in cases(stack, run) for a in case["attempts"]]
        return [a for a in attempts if a["phase"] == phase]

    return until(look, bool, 60, f"phase {phase}")[0]
