"""Many questions to a cluster over one connection, against a real one."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from apps.remote.agent.ceph.cluster import ask_cluster, conversation
from apps.remote.agent.ceph.command import Ceph, CephError
from apps.remote.agent.ceph.conversation import Conversation, ask_all
from apps.remote.agent.ceph.line import Line
from apps.remote.agent.ceph.typed import connected
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(120)]
FSID = {"prefix": "fsid", "format": "json"}
NO_OPTION = {"prefix": "config help", "key": "no_such_option"}


def client_of(cluster: Cluster, folder: str = "/usr/bin") -> dict[str, str]:
    """The environment of a client of the cluster whose `ceph` is in this folder."""
    return {"HOME": str(cluster.home), "PATH": f"{folder}:/usr/bin:/bin"}


def test_it_answers_as_separate_questions_do_from_one_process(ceph_cluster: Cluster) -> None:
    environment = client_of(ceph_cluster)
    talk = Conversation(environment)
    asked = [FSID, NO_OPTION, {"prefix": "osd ls", "format": "json"}]
    first = talk.ask(asked)
    process = talk.line.process
    assert process
    assert first == ask_all(environment, asked)
    assert first[0].json() == {"fsid": ceph_cluster.fsid}
    assert "ENOENT" in first[1].error
    assert talk.ask([FSID]) == first[:1]
    assert talk.line.process is process
    talk.end()
    assert process.returncode == -signal.SIGKILL


def test_one_that_was_killed_is_begun_anew(ceph_cluster: Cluster) -> None:
    talk = Conversation(client_of(ceph_cluster))
    before = talk.ask([FSID])
    assert talk.line.process
    killed = talk.line.process.pid
    os.kill(killed, signal.SIGKILL)
    assert talk.ask([FSID, FSID]) == before * 2
    assert talk.line.process.pid != killed
    talk.end()


def test_a_ceph_that_is_no_python_program_is_asked_one_by_one(
    ceph_cluster: Cluster, tmp_path: Path
) -> None:
    wrapper = tmp_path / "ceph"
    wrapper.write_text('#!/bin/sh\nexec /usr/bin/ceph "$@"\n')
    wrapper.chmod(0o755)
    talk = Conversation(client_of(ceph_cluster, str(tmp_path)))
    assert talk.ask([FSID])[0].json() == {"fsid": ceph_cluster.fsid}
    assert talk.line.process is None


def test_a_cluster_that_is_away_is_said_in_the_words_of_ceph(tmp_path: Path) -> None:
    (tmp_path / ".ceph").mkdir()
    conf = "[global]\nmon_host = 127.0.0.1:1\nauth_client_required = cephx\n"
    (tmp_path / ".ceph" / "ceph.conf").write_text(conf)
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    with pytest.raises(CephError) as complaint:
        Ceph(environment, "1").run(["fsid"])
    assert "error connecting to the cluster" in str(complaint.value)
    talk = Conversation(environment, "1")
    with pytest.raises(CephError) as same:
        talk.ask([{"prefix": "fsid"}, {"prefix": "fsid"}])
    assert str(same.value) == str(complaint.value)
    assert talk.line.process is None


def test_questions_within_it_share_it(
    ceph_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(ceph_cluster.home))
    begun = list[int]()
    real = Line.begun

    def counted(line: Line) -> object:
        process = real(line)
        begun.append(process.pid)
        return process

    monkeypatch.setattr(Line, "begun", counted)
    with conversation():
        answers = [ask_cluster([FSID])[0].json() for _ in range(3)]
    assert answers == [{"fsid": ceph_cluster.fsid}] * 3
    assert len(begun) == 1
    assert not Path(f"/proc/{begun[0]}").exists()
    assert ask_cluster([FSID])[0].json() == answers[0]
    assert len(begun) == 2
    assert not Path(f"/proc/{begun[1]}").exists()


def test_typed_commands_say_the_same_over_one_connection(
    ceph_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = client_of(ceph_cluster)
    asked = (["osd", "crush", "rule", "ls"], ["osd", "erasure-code-profile", "get", "default"])
    wrong = ["osd", "pool", "rename", "not-there", "neither"]
    command = Ceph(environment)
    told = [command.ask(*words) for words in asked]
    with pytest.raises(CephError) as complaint:
        command.do(*wrong)
    monkeypatch.setattr(Ceph, "run", None)
    with connected(environment) as ceph:
        assert [ceph.ask(*words) for words in asked] == told
        with pytest.raises(CephError, match="ENOENT") as same:
            ceph.do(*wrong)
    assert str(same.value) == str(complaint.value)


def test_what_is_not_understood_is_the_commands_to_say(ceph_cluster: Cluster) -> None:
    with connected(client_of(ceph_cluster)) as ceph:
        assert "osd" in ceph.run(["--help"])
        with pytest.raises(CephError, match="EINVAL"):
            ceph.do("osd", "no", "such", "command")
        told = ceph.run(["tell", "mon.a", "config", "get", "mon_allow_pool_delete"])
    assert "true" in told
