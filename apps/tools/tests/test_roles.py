"""The role of a parameter, whatever its tool calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import apps.tools
from apps.tools.registry import (
    TOOLS,
    accesses_at_random,
    cpus_param,
    is_concurrency,
    param_with,
    role_of,
    size_params,
)

ROOMS = Path(apps.tools.__file__).parent


@pytest.mark.parametrize(
    ("tool", "param", "role"),
    [
        ("fio", "iodepth", "depth"),
        ("fio", "numjobs", "jobs"),
        ("fio", "bs", "block"),
        ("fio", "direct", None),
        ("fio", "clients", "jobs"),
        ("rados", "threads", "depth"),
        ("rados", "bs", "block"),
        ("iozone", "record_size", "block"),
        ("iozone", "file_size", "size"),
        ("iperf", "streams", "depth"),
        ("iometer", "queue_depth", "depth"),
        ("rbd", "threads", "depth"),
        ("no-such-tool", "bs", None),
    ],
)
def test_roles(tool: str, param: str, role: str | None) -> None:
    assert role_of(tool, param) == role
    assert is_concurrency(tool, param) == (role in ("depth", "jobs"))


def test_the_parameter_with_a_role() -> None:
    assert param_with("fio", "jobs") == "numjobs"
    assert param_with("iozone", "jobs") == "threads"
    assert param_with("dd", "jobs") == ""
    assert (cpus_param("fio"), cpus_param("dd")) == ("cpus_allowed", "")


def test_access_at_random() -> None:
    assert accesses_at_random("fio", {"rw": "randrw"})
    assert accesses_at_random("iozone", {"operation": "random_mix"})
    assert not accesses_at_random("fio", {"rw": "read", "ioengine": "randread"})
    assert not accesses_at_random("no-such-tool", {"rw": "randread"})


@pytest.mark.parametrize("name", TOOLS)
def test_what_samples_tell_in_bytes_is_known_as_bytes(name: str) -> None:
    """A parameter called a size or of thousands of bytes would else stand as a bare number."""
    for path in sorted((ROOMS / name / "tests" / "samples").glob("*/expected.json")):
        for found in json.loads(path.read_text()).get("measurements", []):
            for param in found.get("params", {}):
                if param == "bs" or param.endswith("size"):
                    assert param in size_params(name), (path.parent.name, param)
