"""A command that starts again until its job is ended, as a load without a duration does."""

from __future__ import annotations

from pathlib import Path

from apps.remote.agent_tests.client import ATTEMPT, Client
from apps.remote.agent_tests.loops import until
from apps.remote.agent_tests.test_always_commands import launch, sh


def test_it_repeats_until_it_is_cancelled_and_is_one_command(
    client: Client, tmp_path: Path
) -> None:
    ticks = tmp_path / "ticks"
    tick = sh(f"echo tick >> {ticks}; echo out; sleep 0.05", repeat=True)
    launch(client, sh("echo first"), tick, sh("echo last", always=True))
    until(lambda: ticks.exists() and len(ticks.read_text().split()) > 3)
    assert client.good("status", attempt=ATTEMPT)["command"] == 1
    done = client.good("cancel", attempt=ATTEMPT, grace=1.0)
    assert done["survivors"] == []
    ended = client.good("wait", attempt=ATTEMPT)["exit"]
    assert ended["cancelled"]
    assert ended["ran"] == [0, 1, 2]
    assert len(ended["times"]) == len(ended["codes"]) == len(ended["parts"]) == 3
    begin, end = ended["times"][1]
    assert ended["times"][0][1] <= begin < end - 0.15
    first, last = ended["parts"][1]["stdout"]
    assert client.read(ATTEMPT, "stdout")[first:last].split() == [b"out"] * len(
        ticks.read_text().split()
    )


def test_a_repeat_that_fails_is_the_last_one(client: Client, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    twice = sh(f"test ! -e {mark} && touch {mark}", repeat=True)
    launch(client, twice)
    ended = client.good("wait", attempt=ATTEMPT)["exit"]
    assert (ended["ran"], ended["codes"]) == ([0], [1])
    assert not ended["cancelled"]
