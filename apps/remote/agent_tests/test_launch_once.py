"""At most one execution for an attempt id, however often and from wherever it is launched."""

from __future__ import annotations

import threading
import uuid
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import until


def spec(attempt: str, trace: Path) -> dict[str, object]:
    """A job that leaves one line for each time it runs."""
    script = f"echo ran >> {trace}; sleep 0.3"
    return {"attempt": attempt, "commands": [{"role": "main", "argv": ["sh", "-c", script]}]}


def test_eight_at_once_and_one_late_give_one_execution(base: Path, tmp_path: Path) -> None:
    attempt, trace = str(uuid.uuid4()), tmp_path / "trace"
    sessions = [Client(base) for _ in range(8)]
    gate, launched = threading.Barrier(8), []

    def go(session: Client) -> None:
        gate.wait()
        launched.append(session.good("launch", spec=spec(attempt, trace))["launched"])

    threads = [threading.Thread(target=go, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(launched) == [False] * 7 + [True]
    assert sessions[0].good("wait", attempt=attempt)["state"] == "done"
    assert not sessions[1].good("launch", spec=spec(attempt, trace))["launched"]
    assert trace.read_text() == "ran\n"
    assert [path.name for path in (base / "jobs").iterdir()] == [attempt]
    for session in sessions:
        session.close()


def test_a_forgotten_id_can_never_start_again(client: Client, base: Path, tmp_path: Path) -> None:
    attempt, trace = str(uuid.uuid4()), tmp_path / "trace"
    client.good("launch", spec=spec(attempt, trace))
    assert client.ask("delete_job", attempt=attempt)["error"] == "busy"
    client.good("wait", attempt=attempt)
    assert client.good("delete_job", attempt=attempt)["deleted"]
    assert client.good("delete_job", attempt=attempt)["deleted"]
    assert not list((base / "jobs").iterdir())
    answer = client.good("status", attempt=attempt)
    assert (answer["state"], answer["deleted"]) == ("absent", True)
    assert not client.good("launch", spec=spec(attempt, trace))["launched"]
    assert trace.read_text() == "ran\n"


def test_an_id_never_seen_is_absent(client: Client) -> None:
    nobody = str(uuid.uuid4())
    for verb in ("status", "wait", "cancel"):
        answer = client.good(verb, attempt=nobody)
        assert (answer["state"], answer["deleted"]) == ("absent", False)
    assert client.ask("delete_job", attempt=nobody)["error"] == "absent"
    assert client.ask("read", attempt=nobody, file="stdout")["error"] == "absent"


def test_the_lock_is_held_before_the_job_can_be_seen(client: Client, base: Path) -> None:
    """A folder appears whole: nobody can take a job that is being born for one that was lost."""
    seen: list[str] = []
    stop = threading.Event()

    def watch() -> None:
        with Client(base) as other:
            while not stop.is_set():
                for path in (base / "jobs").iterdir():
                    if not path.name.startswith("."):
                        seen.append(other.good("status", attempt=path.name)["state"])

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(15):
        client.run(["true"])
    until(lambda: "done" in seen)
    stop.set()
    watcher.join()
    assert set(seen) <= {"running", "done"}


GOOD = {"role": "main", "argv": ["true"]}
BAD_SPECS = [
    {"commands": []},
    {"commands": [{"argv": []}]},
    {"commands": [{"argv": ["a\0b"]}]},
    {"commands": [{"argv": "true"}]},
    {"commands": [{"argv": ["true"], "files": ["../x"]}]},
    {"commands": [{"argv": ["true"], "files": ["exit.json"]}]},
    {"commands": [GOOD], "target": {"kind": "pool", "write": True}},
    {"commands": [GOOD], "target": {"kind": "disk", "identity": "x"}},
    {"commands": [GOOD], "target": {"kind": "directory", "write": True}},
    {"commands": [GOOD], "tuning": [{"kind": "queue", "name": "scheduler", "value": "none"}]},
    {"commands": [GOOD], "settle": -1},
    {"commands": [GOOD], "deadline": "soon"},
    {"commands": [GOOD], "attempt": "../escape"},
    {"commands": [GOOD], "attempt": ""},
]


@pytest.mark.parametrize("bad", BAD_SPECS)
def test_a_wrong_spec_makes_nothing(client: Client, base: Path, bad: dict[str, object]) -> None:
    answer = client.ask("launch", spec={"attempt": str(uuid.uuid4()), **bad})
    assert answer["error"] == "bad-request"
    assert answer["message"].endswith(".")
    assert not list((base / "jobs").iterdir())
