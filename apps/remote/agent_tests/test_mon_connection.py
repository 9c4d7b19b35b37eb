"""Many questions to a cluster over one connection, against a real one."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest

from apps.remote.agent.ceph.ceph_cli import CephError, run_ceph
from apps.remote.agent.ceph.mon_connection import MonConnection
from apps.remote.agent.ceph.mon_process import MonProcess
from apps.remote.agent.ceph.pool import ceph_pool
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(120)]
FSID = {"prefix": "fsid", "format": "json"}
NO_OPTION = {"prefix": "config help", "key": "no_such_option"}


def client_of(cluster: Cluster, folder: str = "/usr/bin") -> dict[str, str]:
    """The environment of a client of the cluster whose `ceph` is in this folder."""
    return {"HOME": str(cluster.home), "PATH": f"{folder}:/usr/bin:/bin"}


def test_it_answers_as_separate_questions_do_from_one_process(ceph_cluster: Cluster) -> None:
    environment = client_of(ceph_cluster)
    ceph = MonConnection(environment)
    asked = [FSID, NO_OPTION, {"prefix": "osd ls", "format": "json"}]
    first = ceph.send_all(asked)
    process = ceph.mon_process.process
    assert process
    with MonConnection(environment) as other:
        assert other.send_all(asked) == first
    assert first[0].json() == {"fsid": ceph_cluster.fsid}
    assert "ENOENT" in first[1].error
    assert ceph.send_all([FSID]) == first[:1]
    assert ceph.mon_process.process is process
    ceph.close()
    assert process.returncode == -signal.SIGKILL


def test_one_that_was_killed_is_begun_anew(ceph_cluster: Cluster) -> None:
    ceph = MonConnection(client_of(ceph_cluster))
    before = ceph.send_all([FSID])
    assert ceph.mon_process.process
    killed = ceph.mon_process.process.pid
    os.kill(killed, signal.SIGKILL)
    assert ceph.send_all([FSID, FSID]) == before * 2
    assert ceph.mon_process.process.pid != killed
    ceph.close()


def test_ceph_that_is_no_python_program_gets_one_command_a_question(
    ceph_cluster: Cluster, tmp_path: Path
) -> None:
    wrapper = tmp_path / "ceph"
    wrapper.write_text('#!/bin/sh\nexec /usr/bin/ceph "$@"\n')
    wrapper.chmod(0o755)
    ceph = MonConnection(client_of(ceph_cluster, str(tmp_path)))
    assert ceph.send(FSID).json() == {"fsid": ceph_cluster.fsid}
    assert ceph.mon_process.process is None


def test_unreachable_cluster_reports_the_message_of_ceph(tmp_path: Path) -> None:
    (tmp_path / ".ceph").mkdir()
    conf = "[global]\nmon_host = 127.0.0.1:1\nauth_client_required = cephx\n"
    (tmp_path / ".ceph" / "ceph.conf").write_text(conf)
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    with pytest.raises(CephError) as complaint:
        run_ceph(["ceph", "fsid"], environment, "1")
    assert "error connecting to the cluster" in str(complaint.value)
    ceph = MonConnection(environment, "1")
    with pytest.raises(CephError) as same:
        ceph.send_all([{"prefix": "fsid"}, {"prefix": "fsid"}])
    assert str(same.value) == str(complaint.value)
    assert ceph.mon_process.process is None


def test_the_command_gives_the_same_answers_and_complaints(
    ceph_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {"prefix": "osd pool rename", "srcpool": "not-there", "destpool": "neither"}
    profile = {"prefix": "osd erasure-code-profile get", "name": "default", "format": "json"}
    rules = {"prefix": "osd crush rule ls", "format": "json"}
    with MonConnection(client_of(ceph_cluster)) as ceph:
        answers = ceph.send_all([wrong, profile, rules])
        monkeypatch.setattr(MonProcess, "start", no_binding)
        ceph.close()
        assert [answer.json() for answer in ceph.send_all([profile, rules])] == [
            answer.json() for answer in answers[1:]
        ]
        assert ceph.send(wrong) == answers[0]
        assert "ENOENT" in answers[0].error


@pytest.mark.parametrize("alone", [False, True])
def test_a_pool_is_made_and_deleted_over_a_connection_and_by_the_command_alone(
    ceph_cluster: Cluster, monkeypatch: pytest.MonkeyPatch, *, alone: bool
) -> None:
    environment = client_of(ceph_cluster)
    if alone:
        monkeypatch.setattr(MonProcess, "start", no_binding)
    single = ("tell", "mon.a", "config", "set", "mon_allow_pool_size_one")
    ceph_cluster.ceph(*single, "true")
    try:
        for layout in (["replicas=1", "domain=osd"], ["k=2", "m=1", "domain=osd"]):
            words = ["make", "mine", "0123456789ab", "pg_num=8", *layout]
            assert ceph_pool(words, environment) == 0
            assert ceph_pool(["delete", "mine", "0123456789ab"], environment) == 0
    finally:
        ceph_cluster.ceph(*single, "false")
    assert ceph_cluster.pools() == []


def no_binding(_process: MonProcess) -> None:
    raise OSError(errno.ENOENT, "ceph is no Python program")
