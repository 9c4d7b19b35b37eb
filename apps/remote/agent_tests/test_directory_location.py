"""Places that are no scratch directory by whatever path they are seen, and the room a test leaves
free.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from apps.remote.agent.targets.free_space import reserved_bytes, shortage
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.test_directory import WRITE, target

MIB, GIB = 1 << 20, 1 << 30


@contextmanager
def mounted(*argv: str, at: Path) -> Iterator[Path]:
    """Something mounted at a folder of ours."""
    at.mkdir()
    subprocess.run(["mount", *argv, str(at)], check=True)
    try:
        yield at
    finally:
        subprocess.run(["umount", "-l", str(at)], check=True)


def refusal(client: Client, path: Path | str, needs: int = MIB) -> str:
    """Why a directory is refused."""
    done: Message = client.run(WRITE, target=target(path, needs))
    assert done["state"] == "refused", done
    return str(done["refused"]["reasons"][0])


@pytest.mark.needs_root
@pytest.mark.parametrize(
    ("source", "below"),
    [("/etc", ""), ("/etc/ssl", ""), ("/usr", "share"), ("/var", ""), ("/", ""), ("/", "etc")],
)
def test_a_bind_mount_of_a_system_folder_is_refused(
    client: Client, tmp_path: Path, source: str, below: str
) -> None:
    if not Path(source).is_dir():
        pytest.skip(f"this machine has no {source}")
    with mounted("--bind", source, at=tmp_path / "seen") as seen:
        assert "of the system under another name" in refusal(client, seen / below)
    assert not (Path(source) / below / "benchlab").exists()


@pytest.mark.needs_root
def test_a_folder_for_tests_stays_one_through_a_bind_mount(client: Client, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with mounted("--bind", str(scratch), at=tmp_path / "seen") as seen:
        assert client.run(WRITE, target=target(seen))["state"] == "done"
        client.good("cleanup_directories", directory=str(seen))


@pytest.mark.needs_root
@pytest.mark.parametrize("through", ["itself", "bind mount"])
def test_the_agents_own_folder_is_refused(client: Client, tmp_path: Path, through: str) -> None:
    (client.base / "scratch").mkdir()
    with ExitStack() as stack:
        seen = client.base
        if through == "bind mount":
            seen = stack.enter_context(
                mounted("--bind", str(client.base), at=tmp_path / "elsewhere")
            )
        for place in (seen, seen / "jobs", seen / "scratch"):
            assert "benchlab's own files" in refusal(client, place)


def test_the_folder_in_which_the_agents_own_would_be_the_tests_is_refused(tmp_path: Path) -> None:
    """Tests work in the subfolder `benchlab`: of /var/lib that is the agent's."""
    with Client(tmp_path / "benchlab") as client:
        assert "benchlab's own files" in refusal(client, tmp_path)


@pytest.mark.parametrize("path", ["/var", "/var/lib", "/var/log", "/var/log/journal"])
def test_parts_of_var_are_the_systems(client: Client, path: str) -> None:
    assert "belongs to the system" in refusal(client, path)


def test_headroom_grows_with_the_file_system_within_bounds() -> None:
    assert [reserved_bytes(size) for size in (100 * MIB, 100 * GIB, 10**15)] == [
        64 * MIB,
        5 * GIB,
        16 * GIB,
    ]


@pytest.mark.needs_root
def test_a_test_does_not_fill_the_last_bytes(client: Client, tmp_path: Path) -> None:
    size = ["-o", "size=256m"]
    with mounted("-t", "tmpfs", *size, "tmpfs", at=tmp_path / "small") as small:
        said = refusal(client, small, needs=200 * MIB)
        assert said == (
            f"Space: {small} has {256 * MIB} bytes free, of which {64 * MIB} stay free so that "
            f"other programs can write on, and the test needs {200 * MIB}; free some or "
            "request less."
        )
        assert not list(small.iterdir())
        assert shortage(str(small), 192 * MIB) == ""
        assert client.run(WRITE, target=target(small, 192 * MIB))["state"] == "done"


@pytest.mark.needs_root
def test_two_directories_of_one_file_system_share_what_may_be_used(
    client: Client, tmp_path: Path
) -> None:
    with mounted("-t", "tmpfs", "-o", "size=256m", "tmpfs", at=tmp_path / "small") as small:
        places = [small / "a", small / "b"]
        for place in places:
            place.mkdir()
        both = [target(place, 100 * MIB) for place in places]
        done = client.run(["true"], targets=both)
        assert "lie on one file system" in done["refused"]["reasons"][0]
