"""`benchlab gate`: exit codes, files, added repeats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchlab_client import cli
from benchlab_client.client import Client
from benchlab_client.waiting import Waiter

from .answers import answer, row

BASE = ["gate", "--run", "41", "--against", "run:12", "--iops-worse", "5%"]


class Server:
    """Answers of a gate, one a request; the last one stays."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.added, self.queries = list(answers), [], []  # type: ignore[var-annotated]

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/v1/runs/41/":
            return httpx.Response(200, json=RUN)
        if request.url.path == "/api/v1/runs/41/add-repeats/":
            self.added.append(json.loads(request.content)["repeats"])
            return httpx.Response(200, json=RUN)
        if request.url.path == "/api/v1/version/":
            return httpx.Response(200, json={"min_client": ""})
        assert request.url.path == "/api/v1/gate/"
        self.queries.append(dict(request.url.params))
        body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(body, httpx.Response):
            return body
        return httpx.Response(200, json=body)


COUNTS = dict.fromkeys(
    ("total", "done", "succeeded", "failed", "lost", "unconfirmed", "cancelled", "skipped"), 0
)
RUN = {
    "id": 41, "name": "nightly", "state": "succeeded", "progress": COUNTS | {"remaining": None},
    "reason": "", "forecast": None,
}  # fmt: skip


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Any:
    def start(*answers: Any) -> Server:
        server = Server(*answers)

        def client(_url: str | None) -> Client:
            transport = httpx.MockTransport(server)
            return Client("http://lab.example:8000", "token", http=transport)

        monkeypatch.setattr(cli, "Client", client)
        monkeypatch.setattr(Waiter, "_pause", lambda _self, _delay: None)
        return server

    return start


@pytest.mark.parametrize(
    ("state", "options", "code"),
    [
        ("passed", [], 0),
        ("failed", [], 3),
        ("failed", ["--undecided", "pass"], 3),
        ("undecided", [], 5),
        ("undecided", ["--undecided", "fail"], 5),
        ("undecided", ["--undecided", "warn"], 0),
        ("undecided", ["--undecided", "pass"], 0),
        ("not_comparable", ["--undecided", "warn"], 5),
        ("no_result", ["--undecided", "warn"], 6),
    ],
)
def test_exit_code_of_a_state(serve: Any, state: str, options: list[str], code: int) -> None:
    serve(answer(row(state)))
    assert cli.main([*BASE, *options]) == code


@pytest.mark.parametrize(
    ("response", "code"),
    [
        ({"status": 400, "kind": "invalid"}, 2),
        ({"status": 401, "kind": "not_authenticated"}, 4),
        ({"status": 404, "kind": "not_found"}, 1),
    ],
)
def test_exit_code_of_a_refusal(serve: Any, response: dict[str, Any], code: int) -> None:
    error = {"kind": response["kind"], "message": "No.", "fields": {}}
    serve(httpx.Response(response["status"], json={"error": error}))
    assert cli.main(BASE) == code


@pytest.mark.parametrize(
    "arguments",
    [
        ["gate", "--run", "41", "--against", "run:12"],
        [*BASE, "--p99-worse", "0%"],
        [*BASE, "--p99-worse", "-1"],
        [*BASE, "--max-repeats", "3"],
        [*BASE, "--timeout", "0"],
        ["gate", "--against", "run:12", "--iops-worse", "5%"],
    ],
)
def test_wrong_usage_exits_2(serve: Any, arguments: list[str]) -> None:
    serve(answer(row("passed")))
    try:
        code = cli.main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == 2


def test_options_become_the_query(serve: Any) -> None:
    server = serve(answer(row("passed")))
    cli.main([*BASE, "--p99.9-worse", "12.5", "--operation", "read"])
    assert server.queries == [
        {"run": "41", "against": "run:12", "operation": "read", "iops_worse": "5",
         "latency_p999_worse": "12.5"}
    ]  # fmt: skip


def test_repeats_are_added_until_the_gate_is_decided(serve: Any) -> None:
    server = serve(answer(row("undecided"), more=3), answer(row("failed")))
    assert cli.main([*BASE, "--until-decided"]) == 3
    assert server.added == [3]


def test_repeats_are_added_up_to_the_limit(serve: Any) -> None:
    server = serve(answer(row("undecided"), more=3))
    assert cli.main([*BASE, "--until-decided", "--max-repeats", "4"]) == 5
    assert server.added == [3, 1]


@pytest.mark.parametrize("state", ["undecided", "failed", "not_comparable", "no_result"])
def test_repeats_that_decide_nothing_are_not_added(serve: Any, state: str) -> None:
    server = serve(answer(row(state), row("undecided", more_repeats=None), more=None))
    cli.main([*BASE, "--until-decided"])
    assert server.added == []


def test_files_and_annotations_of_github(
    serve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(answer(row("failed"), row("passed")))
    step = tmp_path / "step.md"
    step.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    files = ["--junit", str(tmp_path / "gate.xml"), "--summary", str(tmp_path / "gate.md")]
    assert cli.main([*BASE, *files, "--github", "--json"]) == 3
    output = capsys.readouterr()
    assert json.loads(output.out)["state"] == "failed"
    assert "::error title=Failed%3A" in output.err
    assert step.read_text() == "before\n" + (tmp_path / "gate.md").read_text()
    assert b"<testcase" in (tmp_path / "gate.xml").read_bytes()


def test_unwritable_file_is_wrong_usage(serve: Any, tmp_path: Path) -> None:
    serve(answer(row("passed")))
    assert cli.main([*BASE, "--junit", str(tmp_path / "none" / "gate.xml")]) == 2
