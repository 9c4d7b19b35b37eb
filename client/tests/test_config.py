"""Address and token: where they come from, and who can read them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from benchlab_client import Client, LoginError, UsageError
from benchlab_client.config import Login, config_file, read_login, write_login

A, B = "https://a.example", "https://b.example"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path / "config")}


def test_the_file_is_for_its_owner_only(environment: dict[str, str]) -> None:
    path = write_login(Login(A, "token-a"), environment)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["config.json"]


def test_a_file_that_others_can_read_is_refused(environment: dict[str, str]) -> None:
    write_login(Login(A, "token-a"), environment).chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        read_login(None, environment)


def test_a_token_is_for_its_own_server_only(environment: dict[str, str]) -> None:
    write_login(Login(B, "token-b"), environment)
    write_login(Login(A, "token-a"), environment)
    assert read_login(None, environment) == Login(A, "token-a")
    assert read_login(B + "/", environment) == Login(B, "token-b")
    assert read_login("https://c.example", environment) == Login("https://c.example", "")
    with pytest.raises(LoginError):
        Client("https://c.example", environment=environment)


def test_variables_win(environment: dict[str, str]) -> None:
    write_login(Login(A, "token-a"), environment)
    variables = {**environment, "BENCHLAB_URL": B, "BENCHLAB_TOKEN": "from-ci\n"}
    assert read_login(None, variables) == Login(B, "from-ci")
    assert read_login(A, variables) == Login(A, "from-ci")


@pytest.mark.parametrize("content", ["", "[]", "{", "\x00"])
def test_a_damaged_file_is_a_sentence(environment: dict[str, str], content: str) -> None:
    path = write_login(Login(A, "token-a"), environment)
    path.write_text(content)
    with pytest.raises(UsageError, match="log in again"):
        read_login(None, environment)


def test_the_folder_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert config_file({}) == Path("/home/someone/.config/benchlab/config.json")
