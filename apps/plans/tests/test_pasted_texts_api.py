"""Pasted texts through /api/v1/plans/from-text/, and a plan of their steps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.tools.tests.pasted_calls import FIO, OTHERS, USUAL, Case
from apps.tools.tests.pasted_scripts import SCRIPTS

API = "/api/v1/plans/"
CASES = (*FIO, *OTHERS, *SCRIPTS)
Api = Callable[[User | None], APIClient]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_text_without_a_tool_gives_its_steps(api: Api, owner: User, case: Case) -> None:
    answer = api(owner).post(f"{API}from-text/", {"text": case.text})

    assert answer.status_code == 200, answer.json()
    expected = [(s.tool, s.line, {**USUAL[s.tool], **s.given}) for s in case.steps]
    steps = answer.json()["steps"]
    assert [(s["tool"], s["line"], s["params"]) for s in steps] == expected
    assert {n["line"] for n in answer.json()["notes"] if n["kind"] == "refused"} == {*case.refused}


def test_steps_of_a_text_are_those_of_a_plan(api: Api, owner: User) -> None:
    text = "\n".join(case.text for case in CASES if case.steps and "\n" not in case.text)
    steps = api(owner).post(f"{API}from-text/", {"text": text.replace(" &", "")}).json()["steps"]

    made = api(owner).post(API, {"name": "pasted", "steps": steps})

    assert made.status_code == 201, made.json()
    assert len(steps) > 20
    assert [s["params"] for s in made.json()["steps"]] == [s["params"] for s in steps]


def test_tool_of_the_request_gives_its_steps_only(api: Api, owner: User) -> None:
    text = "dd if=/dev/zero of=/dev/sdb bs=1M count=9\nfio --name=a --rw=read\n"

    answer = api(owner).post(f"{API}from-text/", {"text": text, "tool": "dd"}).json()

    assert [step["tool"] for step in answer["steps"]] == ["dd"]
    assert 2 in [note["line"] for note in answer["notes"]]


def test_lines_of_tunings_and_outputs_are_named(api: Api, owner: User) -> None:
    text = (
        "echo 2 > /sys/block/vdb/queue/rq_affinity\n# dd if=/dev/zero of=/dev/sdb bs=1M count=9\n"
    )
    text += "9437184 bytes (9.4 MB, 9.0 MiB) copied, 0.00411 s, 2.3 GB/s\n"

    answer = api(owner).post(f"{API}from-text/", {"text": text}).json()

    assert answer["tuning"] == ["echo 2 > /sys/block/vdb/queue/rq_affinity"]
    assert answer["outputs"] == [{"tool": "dd", "first": 3, "last": 3}]


@pytest.mark.parametrize(("who", "status"), [("owner", 200), ("stranger", 200), ("viewer", 403)])
def test_operators_paste_and_viewers_do_not(
    api: Api, who: str, status: int, request: pytest.FixtureRequest
) -> None:
    user: User = request.getfixturevalue(who)

    answer = api(user).post(f"{API}from-text/", {"text": "fio --name=a --rw=read"})

    assert answer.status_code == status
