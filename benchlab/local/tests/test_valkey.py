"""The embedded Valkey keeps what was written to it, also through kill -9."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest
import redis

from benchlab.local.paths import Home
from benchlab.local.processes import running
from benchlab.local.valkey import Valkey


@pytest.fixture
def valkey(tmp_path: Path) -> Valkey:
    return Valkey.at(Home(tmp_path / "home").make())


@pytest.fixture
def process(valkey: Valkey) -> Generator[subprocess.Popen[bytes]]:
    with running(valkey.service()) as process:
        yield process


@pytest.fixture
def client(valkey: Valkey) -> Generator[redis.Redis]:
    with redis.Redis.from_url(valkey.url) as client:
        yield client


def test_the_append_only_file_survives_kill_9(
    valkey: Valkey, process: subprocess.Popen[bytes], client: redis.Redis
) -> None:
    client.rpush("queue", *(str(number) for number in range(1000)))
    time.sleep(2.1)  # appendfsync everysec
    process.kill()
    process.wait()
    with running(valkey.service()):
        assert client.llen("queue") == 1000


@pytest.mark.usefixtures("process")
def test_listens_on_no_network_port_and_evicts_nothing(client: redis.Redis) -> None:
    assert client.config_get("port") == {"port": "0"}
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_server_left_running_is_ended_before_the_next_start(
    valkey: Valkey, process: subprocess.Popen[bytes]
) -> None:
    with running(valkey.service()):
        assert process.wait(5) == 0
