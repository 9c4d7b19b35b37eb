"""Settings are lent for one run: applied, kept, looked after, and given back."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.remote.agent.disks.blocks import Block
from apps.remote.agent.tuning.queue_settings import irreversible
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import Loop, until

pytestmark = pytest.mark.needs_root


def names(entries: list[Message]) -> set[str]:
    """The names of the settings a report is about."""
    return {entry["name"] for entry in entries}


def show(loop: Loop) -> list[str]:
    """A command that prints the settings as they are while it runs."""
    folder = f"/sys/block/{loop.name}/queue"
    return [
        "grep",
        "-H",
        "",
        f"{folder}/scheduler",
        f"{folder}/nr_requests",
        f"{folder}/rq_affinity",
    ]


def test_settings_hold_during_the_run_and_are_given_back(client: Client, loop: Loop) -> None:
    before = loop.settings()
    assert before["scheduler"] == "none"
    tuning = [
        loop.want("nr_requests", 64),  # after the scheduler, whatever the order asked
        loop.want("scheduler", "mq-deadline"),
        loop.want("rq_affinity", "2"),
        loop.want("read_ahead_kb", 512),
        loop.want("max_sectors_kb", 256),
    ]
    done = client.run(show(loop), tuning=tuning, target=loop.target())
    shown = client.read(done["attempt"], "stdout").decode()
    assert "[mq-deadline]" in shown
    assert "nr_requests:64" in shown
    assert "rq_affinity:2" in shown
    report = done["exit"]["tuning"]
    everything = {"scheduler", "nr_requests", "rq_affinity", "read_ahead_kb", "max_sectors_kb"}
    assert names(report["applied"]) == names(report["restored"]) == everything
    assert (report["changed"], report["conflicts"], report["failed"]) == ([], [], [])
    assert (done["journal"]["state"], done["journal"]["closed_because"]) == ("closed", "restored")
    assert loop.settings() == before


def test_what_a_scheduler_changes_along_is_given_back_too(client: Client, loop: Loop) -> None:
    loop.set("nr_requests", "100")
    before = loop.settings()
    assert before["nr_requests"] == "100"
    done = client.run(["true"], tuning=[loop.want("scheduler", "mq-deadline")])
    assert done["exit"]["tuning"]["changed"] == []
    assert loop.settings() == before


def test_further_settings_of_a_queue_and_what_a_scheduler_does_to_them(
    client: Client, loop: Loop
) -> None:
    more = ("nomerges", "wbt_lat_usec", "rotational", "add_random", "discard_max_bytes")
    files = {name: Path(f"/sys/block/{loop.name}/queue/{name}") for name in more}
    # The kernel shows 4294966784 at first, which it takes from nobody.
    loop.set("discard_max_bytes", "2147483648")
    before = {name: file.read_text() for name, file in files.items()}
    other = "0" if before["rotational"].strip() == "1" else "1"
    tuning = [
        loop.want("scheduler", "kyber"),
        loop.want("nomerges", "2"),
        loop.want("rotational", other),
        loop.want("add_random", "1"),
        loop.want("discard_max_bytes", "1048576"),
    ]
    done = client.run(["grep", "-H", "", *map(str, files.values())], tuning=tuning)
    shown = client.read(done["attempt"], "stdout").decode()
    assert "nomerges:2" in shown
    assert f"rotational:{other}" in shown
    assert "discard_max_bytes:1048576" in shown
    assert (done["exit"]["tuning"]["changed"], done["exit"]["tuning"]["failed"]) == ([], [])
    assert {name: file.read_text() for name, file in files.items()} == before
    assert "wbt_lat_usec" in names(done["exit"]["tuning"]["effective"])
    asked = [loop.want("wbt_lat_usec", "5000")]
    done = client.run(["cat", str(files["wbt_lat_usec"])], tuning=asked)
    assert client.read(done["attempt"], "stdout") == b"5000\n"
    assert {name: file.read_text() for name, file in files.items()} == before


def test_discard_limit_that_cannot_be_restored_is_refused(tmp_path: Path) -> None:
    (tmp_path / "queue").mkdir()
    (tmp_path / "queue/discard_granularity").write_text("4096\n")
    disk = Block("vdx")
    disk.folder = str(tmp_path)
    assert irreversible(disk, "discard_max_bytes", "4294963200") == ""
    assert irreversible(disk, "nr_requests", "4294966784") == ""
    assert irreversible(disk, "discard_max_bytes", "4294966784") == (
        "discard_max_bytes of vdx is 4294966784 and could not be restored: "
        "the kernel accepts at most 4294967295."
    )


def attribute(loop: Loop, name: str) -> str:
    """An attribute of the scheduler that is set."""
    return loop.setting(f"iosched/{name}")


def test_scheduler_attributes_are_applied_after_the_scheduler(client: Client, loop: Loop) -> None:
    loop.set("scheduler", "mq-deadline")
    loop.set("iosched/fifo_batch", "20")
    loop.set("iosched/async_depth", "40")
    file = f"/sys/block/{loop.name}/queue/iosched/read_lat_nsec"
    tuning = [loop.want("iosched/read_lat_nsec", 3_000_000), loop.want("scheduler", "kyber")]
    done = client.run(["cat", file], tuning=tuning)
    assert client.read(done["attempt"], "stdout") == b"3000000\n"
    rows = {row["name"]: row for row in done["exit"]["tuning"]["effective"]}
    read = rows["iosched/read_lat_nsec"]
    assert (read["before"], read["value"], read["after"]) == (
        "(not offered)", "3000000", "(not offered)",
    )  # fmt: skip
    assert "iosched/fifo_batch" not in rows
    assert (done["exit"]["tuning"]["conflicts"], done["exit"]["tuning"]["failed"]) == ([], [])
    assert (loop.setting("scheduler"), attribute(loop, "fifo_batch")) == ("mq-deadline", "20")
    # The length of the queue sets this one anew, in both directions.
    done = client.run(["true"], tuning=[loop.want("nr_requests", 64)])
    assert done["exit"]["tuning"]["failed"] == []
    assert (attribute(loop, "async_depth"), attribute(loop, "fifo_batch")) == ("40", "20")


def test_a_scheduler_that_somebody_else_set_keeps_its_attributes(
    client: Client, loop: Loop
) -> None:
    loop.set("scheduler", "mq-deadline")
    tuning = [loop.want("scheduler", "kyber"), loop.want("iosched/read_lat_nsec", 3_000_000)]
    attempt = client.start(["sleep", "1"], tuning=tuning)
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    loop.set("scheduler", "bfq")
    report = client.good("wait", attempt=attempt)["exit"]["tuning"]
    # bfq switches writeback throttling off where the disk had it (kernel: wbt_disable_default).
    assert names(report["conflicts"]) - {"wbt_lat_usec"} == {"scheduler"}
    assert report["failed"] == []
    assert loop.setting("scheduler") == "bfq"


@pytest.mark.parametrize("chosen", [[], [("scheduler", "mq-deadline")]])
def test_an_attribute_of_another_scheduler_runs_nothing(
    client: Client, loop: Loop, chosen: list[tuple[str, str]]
) -> None:
    tuning = [loop.want(*one) for one in [*chosen, ("iosched/low_latency", "0")]]
    done = client.run(["echo", "ran"], tuning=tuning)
    assert "iosched/low_latency" in done["refused"]["reasons"][0]
    assert ("iosched/fifo_batch" in done["refused"]["reasons"][0]) == bool(chosen)
    assert (client.read(done["attempt"], "stdout"), loop.setting("scheduler")) == (b"", "none")


WRONG = [
    ("scheduler", "fastest"),
    ("scheduler", "none\nx"),
    ("rq_affinity", 7),
    ("nr_requests", 1),
    ("nr_requests", "064"),
    ("read_ahead_kb", "4; reboot"),
    ("max_sectors_kb", 1 << 19),
    ("io_poll_delay", 0),
    ("iosched/fifo_batch", "-1"),
    ("iosched/../nr_requests", 64),
    ("write_cache", "write through"),
    ("../../../../etc/passwd", 0),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_value_that_cannot_be_set_runs_nothing(
    client: Client, loop: Loop, name: str, value: str | int
) -> None:
    before = loop.settings()
    tuning = [loop.want("rq_affinity", 2)] if name != "rq_affinity" else []
    done = client.run(["echo", "ran"], tuning=[*tuning, loop.want(name, value)])
    assert done["state"] == "refused"
    assert done["refused"]["reasons"][0].startswith("Tuning: ")
    assert client.read(done["attempt"], "stdout") == b""
    assert loop.settings() == before


def test_value_rounded_by_the_kernel_is_refused(client: Client, loop: Loop) -> None:
    before = loop.settings()
    done = client.run(["echo", "ran"], tuning=[loop.want("read_ahead_kb", 513)])
    sentence = done["refused"]["reasons"][0]
    assert "should be 513 and is 512" in sentence
    assert done["refused"]["tuning"]["restored"]
    assert loop.settings() == before


def test_a_setting_that_changed_during_the_run_is_reported(client: Client, loop: Loop) -> None:
    attempt = client.start(["sleep", "1"], tuning=[loop.want("rq_affinity", 2)])
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    loop.set("rq_affinity", "0")
    report = client.good("wait", attempt=attempt)["exit"]["tuning"]
    (changed,) = report["changed"]
    assert (changed["expected"], changed["actual"]) == ("2", "0")
    (conflict,) = report["conflicts"]
    assert (conflict["name"], conflict["original"]) == ("rq_affinity", "1")
    assert loop.setting("rq_affinity") == "0"
    loop.set("rq_affinity", "1")


def test_a_tool_that_fails_gives_back_all_the_same(client: Client, loop: Loop) -> None:
    before = loop.settings()
    done = client.run(["false"], tuning=[loop.want("scheduler", "kyber")])
    assert done["exit"]["codes"] == [1]
    assert loop.settings() == before


def test_a_refused_disk_is_never_tuned(client: Client, loop: Loop) -> None:
    with open(loop.node, "rb"):
        tuning = [loop.want("scheduler", "kyber")]
        done = client.run(["true"], tuning=tuning, target=loop.target())
    assert done["state"] == "refused"
    assert done["journal"] is None


def test_cancel_while_settling_gives_back(client: Client, loop: Loop) -> None:
    before = loop.settings()
    attempt = client.start(["echo", "ran"], tuning=[loop.want("rq_affinity", 2)], settle=30)
    until(lambda: client.good("status", attempt=attempt)["phase"] == "settling")
    assert loop.setting("rq_affinity") == "2"
    answer = client.good("cancel", attempt=attempt, grace=1)
    assert answer["exit"]["cancelled"] is True
    assert names(answer["exit"]["tuning"]["restored"]) == {"rq_affinity"}
    assert loop.settings() == before


def test_settling_is_waited_for(client: Client, loop: Loop) -> None:
    begin = time.monotonic()
    done = client.run(["true"], tuning=[loop.want("rq_affinity", 2)], settle=0.7)
    assert done["exit"]["started"]["monotonic"] - begin >= 0.7


def test_two_loans_on_one_disk_do_not_overlap(
    client: Client, make_loop: Callable[..., Loop]
) -> None:
    loop, other = make_loop("a"), make_loop("b")
    attempt = client.start(["sleep", "30"], tuning=[loop.want("rq_affinity", 2)])
    until(lambda: client.good("status", attempt=attempt)["phase"] == "running")
    second = client.run(["true"], tuning=[loop.want("read_ahead_kb", 512)])
    assert f"in use by attempt {attempt}" in second["refused"]["reasons"][0]
    assert client.run(["true"], tuning=[other.want("rq_affinity", 2)])["state"] == "done"
    client.good("cancel", attempt=attempt, grace=1)
    assert client.run(["true"], tuning=[loop.want("read_ahead_kb", 512)])["state"] == "done"
