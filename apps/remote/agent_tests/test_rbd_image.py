"""Images that an attempt makes: the size is read back, none of anybody else is touched."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.remote.agent.ceph.rbd_image import rbd_image
from tests.harness.ceph import Cluster

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(180)]
OURS, OTHERS, POOL = "0123456789ab", "ba9876543210", "images"
MIB = 1 << 20
Do = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def do(ceph_cluster: Cluster, capfd: pytest.CaptureFixture[str]) -> Iterator[Do]:
    """Run the builtin: its exit code, what it did, what it complained about."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(ceph_cluster.home)}
    ceph_cluster.ceph("osd", "pool", "create", POOL, "8")
    ceph_cluster.ceph("osd", "pool", "application", "enable", POOL, "rbd")

    def run(*words: str) -> tuple[int, Any, str]:
        code = rbd_image(list(words), environment)
        said = capfd.readouterr()
        return code, json.loads(said.out)["rbd_image"] if said.out else None, said.err

    yield run
    ceph_cluster.ceph("osd", "pool", "delete", POOL, POOL, "--yes-i-really-really-mean-it")


def test_only_images_of_the_attempt_are_removed(do: Do, ceph_cluster: Cluster) -> None:
    ceph_cluster.run("rbd", "create", "--size", "16M", f"{POOL}/theirs")
    code, done, _ = do("make", POOL, OURS, "0", f"size={32 * MIB}", "object_size=1048576")
    assert (code, done["made"], done["size"]) == (0, f"benchlab-{OURS}-0", 32 * MIB)
    assert do("make", POOL, OURS, "1", f"size={32 * MIB}", "shared=1")[0] == 0
    assert do("make", POOL, OTHERS, "0", f"size={32 * MIB}")[0] == 0
    told = ceph_cluster.run("rbd", "info", "--format", "json", f"{POOL}/benchlab-{OURS}-0")
    assert json.loads(told)["object_size"] == MIB
    _, done, _ = do("delete", POOL, OURS)
    assert done["deleted"] == [f"benchlab-{OURS}-{number}" for number in (0, 1)]
    left = ceph_cluster.run("rbd", "ls", POOL).split()
    assert left == [f"benchlab-{OTHERS}-0", "theirs"]


def test_an_image_that_is_there_is_not_made_again(do: Do) -> None:
    assert do("make", POOL, OURS, "0", f"size={16 * MIB}")[0] == 0
    code, _, said = do("make", POOL, OURS, "0", f"size={16 * MIB}")
    assert (code, "exists already" in said) == (1, True)


def test_image_larger_than_pool_is_refused_before_creation(do: Do, ceph_cluster: Cluster) -> None:
    code, _, said = do("make", POOL, OURS, "0", f"size={1 << 50}")
    assert (code, "bytes free" in said) == (1, True)
    assert ceph_cluster.run("rbd", "ls", POOL) == ""


def test_a_size_that_rbd_rounds_is_refused_when_it_is_read_back(do: Do) -> None:
    code, _, said = do("make", POOL, OURS, "0", f"size={MIB + 1}")
    assert (code, f"has {2 * MIB}" in said) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        ("make", POOL, "not-an-attempt", "0", "size=1"),
        ("make", POOL, OURS, "0"),
        ("make", POOL, OURS, "0", "size=1", "--thick-provision"),
        ("make", "-p", OURS, "0", "size=1"),
        ("delete", POOL, ""),
        ("delete", POOL),
    ],
)
def test_other_words_are_not_understood(
    words: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    assert rbd_image(list(words), {}) == 1
    assert "does not understand" in capfd.readouterr().err
