"""Answers of a host that lies or is broken: refused where they come in, with what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.remote.decode import (
    MAX_DEPTH,
    MAX_TEXT_LENGTH,
    MAX_VALUES,
    clean_text,
    convert,
    decode_object,
)
from apps.remote.responses import MAX_DISKS, MAX_FILES, MAX_OUTPUT_BYTES, Exit, Facts
from apps.remote.status import read_status
from tests.harness.documents import Document

DONE = {"state": "done", "exit": {"codes": [0]}, "files": [], "argv": [["fio"]]}
HASH = "0" * 64


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'{"uptime": NaN}', "not JSON"),
        (b'{"uptime": Infinity}', "not JSON"),
        (b'{"uptime": 1e999}', "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"a": ' + b"[" * 700 + b"]" * 700 + b"}", "deeper than"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", r"is not JSON|is nested"),
        (b'{"size": ' + b"9" * 30 + b"}", "too large"),
        (b'{"text": "\xff\xfe"}', "not JSON"),
        (b'{"files": [' + b"{}," * MAX_VALUES + b"{},{}]}", "more than 250000 values"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else repr(value[:30]),
)
def test_what_is_no_answer(text: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        decode_object(text)


def test_what_honest_hosts_send_is_read() -> None:
    deep: Any = "end"
    for _ in range(MAX_DEPTH - 2):
        deep = [deep]
    message = {"id": 1, "size": 2**62, "load": 0.25, "deep": deep, "none": None}
    assert decode_object(json.dumps(message).encode()) == message


@pytest.mark.parametrize(
    ("bad", "where"),
    [
        ({"exit": {"started": "garbage"}}, "started"),
        ({"exit": {"started": {"monotonic": 1.0}}}, "realtime"),
        ({"exit": {"started": {"monotonic": 1.0, "realtime": 1e300}}}, "realtime"),
        ({"exit": {"codes": "0"}}, "codes"),
        ({"exit": {"times": [[1.0]]}}, "times"),
        ({"exit": {"parts": [{"stdout": [0, -1], "stderr": [0, 0]}]}}, "parts"),
        ({"exit": {"tuning": {"changed": ["x"]}}}, "changed"),
        ({"exit": []}, "exit"),
        ({"argv": "fio"}, "argv"),
        ({"journal": 3}, "journal"),
        ({"files": {"name": "x"}}, "files"),
        ({"files": [{"name": "../../etc/passwd", "size": 1, "sha256": HASH}]}, "files"),
        ({"files": [{"name": "stdout", "size": -1, "sha256": HASH}]}, "files"),
        ({"files": [{"name": "stdout", "size": 10**12, "sha256": HASH}]}, "bytes of output"),
        ({"files": [{"name": "stdout", "size": 1}, {"name": "stdout", "size": 1}]}, "twice"),
        ({"files": [{"name": f"f{n}", "size": 0} for n in range(MAX_FILES + 1)]}, "allowed"),
        (
            {"files": [{"name": f"f{n}", "size": MAX_OUTPUT_BYTES // 2} for n in range(3)]},
            "bytes of output",
        ),
    ],
)
def test_a_status_is_read_without_what_cannot_be(bad: Document, where: str) -> None:
    status = read_status("a", DONE | bad)
    assert status.state == "done"
    assert where in status.invalid
    assert (status.exit is None) or "exit" not in bad
    assert status.files == ()


def test_an_honest_status_has_nothing_bad() -> None:
    moment = {"monotonic": 12.5, "realtime": 1.7e9}
    exit_ = {
        "ran": [0],
        "codes": [None],
        "signals": ["SIGTERM"],
        "times": [[12.5, 13.0]],
        "started": moment,
        "ended": moment,
        "parts": [{"stdout": [0, 5], "stderr": [0, 0]}],
        "held_start": None,
        "identity_after": ["wwn:1", None],
        "tuning": {"applied": [{"name": "scheduler"}], "changed": []},
        "cpus": [["0", "4"]],
        "unheard of": [1],
    }
    status = read_status("a", DONE | {"exit": exit_})
    assert status.invalid == ""
    assert status.exit == exit_


def test_facts_are_what_benchlab_counts_with() -> None:
    convert(
        {"disks": [{"identity": "wwn:1", "size": 5, "mounts": []}], "errors": {}}, Facts, "facts"
    )
    wrong: list[Document] = [
        {"disks": [{"size": "big"}]},
        {"nics": 3},
        {"errors": []},
        {"memory": -1},
    ]
    for bad in wrong:
        with pytest.raises(ValueError, match="facts"):
            convert(bad, Facts, "facts")
    convert({}, Exit, "exit")


@pytest.mark.parametrize(
    "times",
    [
        {
            "started": {"monotonic": 9e11, "realtime": 1.0},
            "ended": {"monotonic": 0.0, "realtime": 2.0},
        },
        {"times": [[5.0, 4.0]]},
    ],
)
def test_exit_that_ends_before_it_starts_is_bad(times: dict[str, Any]) -> None:
    assert read_status("a", {**DONE, "exit": {"codes": [0], **times}}).invalid


def test_texts_of_an_answer_have_no_control_characters() -> None:
    hostile = "\x1b]0;title\x07\x1b[2J\u202egnp.exe"
    answer = decode_object(json.dumps({"a": [hostile], hostile: {"text": "line\n\ttab"}}).encode())
    clean = clean_text(hostile)
    assert "\x1b" not in clean
    assert "\u202e" not in clean
    assert answer == {"a": [clean], clean: {"text": "line\n\ttab"}}


def test_text_of_an_answer_is_cut() -> None:
    answer = decode_object(json.dumps({"why": "x" * 100_000}).encode())
    assert answer == {"why": "x" * MAX_TEXT_LENGTH}


def test_host_with_too_many_disks_is_refused() -> None:
    with pytest.raises(ValueError, match="disks"):
        convert({"disks": [{"node": "/dev/x"}] * (MAX_DISKS + 1)}, Facts, "facts")
