"""`@ceph-query`: what a cluster says of itself, each answer in a file of the job."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import until
from tests.harness.ceph import Cluster

HEALTH = '{"prefix": "health", "detail": "detail"}'
POOL = '{"prefix": "osd pool get", "pool": "mine", "var": "all"}'
DUMP, DF = '{"prefix": "osd dump"}', '{"prefix": "df"}'
NEEDED = ["health.json", HEALTH, "pool.json", POOL]
ASKED = ["@ceph-query", *NEEDED, "--may-fail", "dump.json", DUMP, "df.json", DF]
VERSIONS, TREE = '{"prefix": "versions"}', '{"prefix": "osd tree"}'
REAL = ["versions.json", VERSIONS, "tree.json", TREE, "df.json", '{"prefix": "osd df"}']
# `ceph --connect-timeout 30 WORDS --format json` of a cluster that knows no pool or no dump.
SCRIPT = """#!/bin/sh
case "$3 $4" in "osd %s") echo "Error ENOENT: none" >&2; exit 2;; esac
echo; echo "[\\"$*\\"]"
"""


def query(base: Path, tools: Path, unknown: str) -> tuple[list[int], dict[str, bytes], bytes]:
    """Exit codes, files and complaints on a host whose `ceph` is a shell script."""
    tools.mkdir()
    (tools / "ceph").write_text(SCRIPT % unknown)
    (tools / "ceph").chmod(0o755)
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        done = client.run(ASKED)
        attempt = done["attempt"]
        names = [one["name"] for one in done["files"] if one["name"].endswith(".json")]
        files = {name: client.read(attempt, name) for name in names}
        return done["exit"]["codes"], files, client.read(attempt, "stderr")


def test_query_with_optional_failures_stores_each_response(base: Path, tmp_path: Path) -> None:
    codes, files, complaints = query(base, tmp_path / "tools", "dump")
    assert codes == [0]
    words = "--connect-timeout 30 {} --format json"
    for name, question in (("health.json", "health detail"), ("df.json", "df")):
        assert json.loads(files[name]) == [words.format(question)]
    assert json.loads(files["pool.json"]) == [words.format("osd pool get mine all")]
    assert "dump.json" not in files
    assert complaints == b"ceph osd dump --format json: Error ENOENT: none\n"


def test_query_after_failed_required_command_sends_no_more(base: Path, tmp_path: Path) -> None:
    codes, files, complaints = query(base, tmp_path / "tools", "pool")
    assert codes == [1]
    assert "health.json" in files
    assert "df.json" not in files
    assert complaints == b"ceph osd pool get mine all --format json: Error ENOENT: none\n"


@pytest.mark.e2e
@pytest.mark.xdist_group("ceph")
def test_a_real_cluster_says_the_same_as_to_its_own_command(
    base: Path, ceph_cluster: Cluster
) -> None:
    argv = ["@ceph-query", *REAL, "x/y", DF]
    with Client(base, {"HOME": str(ceph_cluster.home)}) as client:
        done = client.run(argv)
        found = {n: client.read(done["attempt"], f"{n}.json") for n in ("versions", "tree")}
        said = client.read(done["attempt"], "stderr")
    assert json.loads(found["versions"]) == ceph_cluster.ceph("versions")
    assert json.loads(found["tree"]) == ceph_cluster.ceph("osd", "tree")
    assert (done["exit"]["codes"], b"'x/y' is no name of a file" in said) == ([1], True)


@pytest.mark.e2e
@pytest.mark.xdist_group("ceph")
def test_a_job_that_watches_a_real_cluster_keeps_one_process_and_leaves_none(
    base: Path, tmp_path: Path, ceph_cluster: Cluster
) -> None:
    enough = tmp_path / "enough"
    script = f"while [ ! -s ceph-health.log -o ! -e {enough} ]; do sleep 0.05; done"
    with Client(base, {"HOME": str(ceph_cluster.home)}) as client:
        attempt = client.start(["sh", "-c", script], ceph=True)
        until(lambda: len(connected(base)) == 1)
        enough.touch()
        client.good("wait", attempt=attempt)
        entry = json.loads(client.read(attempt, "ceph-health.log"))
    assert (entry["status"], entry["checks"], entry["error"]) == ("HEALTH_OK", {}, "")
    assert connected(base) == []


def connected(base: Path) -> list[str]:
    """Processes of this base's agent that keep a connection to a cluster."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words, environment = ((folder / n).read_bytes() for n in ("cmdline", "environ"))
        except OSError:
            continue
        if b"mon_command" in words and str(base).encode() in environment:
            found.append(folder.name)
    return found
