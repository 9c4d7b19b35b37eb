"""A turn of restarting daemons belongs to the process that its key names."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from apps.remote.agent.ceph import restart_lock


def key_of(pid: int) -> str:
    """The key that this process would write."""
    words = (
        os.uname()[1],
        restart_lock.namespace_name(),
        str(pid),
        restart_lock.start_ticks(pid),
        "0123abcd",
    )
    return restart_lock.PREFIX + "-".join(words)


def test_a_turn_is_over_when_its_process_is_killed() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        key = key_of(process.pid)
        assert not restart_lock.has_ended(key)
        process.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert restart_lock.has_ended(key)  # dead, and nobody has asked for its exit code yet
    assert restart_lock.has_ended(key)


def test_another_process_of_that_number_is_not_its_holder() -> None:
    """Numbers come round again."""
    key = key_of(os.getpid())
    assert not restart_lock.has_ended(key)
    start = restart_lock.start_ticks(os.getpid())
    assert restart_lock.has_ended(key.replace(f"-{start}-", f"-{int(start) - 1}-"))


def test_local_environment_excludes_other_variables() -> None:
    """Another boot is another host's, or this one's before: it is stale after a while."""
    elsewhere = key_of(os.getpid()).replace(restart_lock.namespace_name(), "0" * 32 + "-4026531836")
    assert not restart_lock.has_ended(elsewhere)
    assert not restart_lock.has_ended(restart_lock.PREFIX + "node07-0123456789ab")


def test_keys_of_ended_processes_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one that was killed in its turn, before it restarted anything."""
    with subprocess.Popen(["true"]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        ended, mine = key_of(process.pid).replace("--", "-1-"), key_of(os.getpid())
    removed = list[str]()
    found = {ended: "a", mine: "b", restart_lock.PREFIX + "node07": "c"}
    monkeypatch.setattr(restart_lock, "all_keys", lambda _ceph: found)
    monkeypatch.setattr(restart_lock, "remove_keys", lambda _ceph, names: removed.extend(names))
    restart_lock.remove_ended_keys()
    assert removed == [ended]


def test_a_key_of_this_process_names_it() -> None:
    assert restart_lock.process_name() in key_of(os.getpid())
