"""The embedded Valkey keeps what was written to it, also through kill -9."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest
import redis

from benchlab.local.logfiles import log_tail
from benchlab.local.paths import Home
from benchlab.local.service import spawn, stop
from benchlab.local.valkey import Valkey
from tests.harness.waiting import until


@pytest.fixture
def valkey(tmp_path: Path) -> Valkey:
    return Valkey.at(Home(tmp_path / "home").make())


@pytest.fixture
def process(valkey: Valkey) -> Generator[subprocess.Popen[bytes]]:
    process = run(valkey)
    yield process
    stop(valkey.service(), process)


@pytest.fixture
def client(valkey: Valkey) -> Generator[redis.Redis]:
    with redis.Redis.from_url(valkey.url) as client:
        yield client


def run(valkey: Valkey) -> subprocess.Popen[bytes]:
    process = spawn(valkey.service())
    until(lambda: valkey.ready() or process.poll() is not None)
    assert process.poll() is None, log_tail(valkey.log)
    return process


def test_the_append_only_file_survives_kill_9(
    valkey: Valkey, process: subprocess.Popen[bytes], client: redis.Redis
) -> None:
    client.rpush("queue", *(str(number) for number in range(1000)))
    time.sleep(2.1)  # appendfsync everysec
    process.kill()
    process.wait()
    again = run(valkey)
    try:
        assert client.llen("queue") == 1000
    finally:
        stop(valkey.service(), again)


@pytest.mark.usefixtures("process")
def test_listens_on_no_network_port_and_evicts_nothing(client: redis.Redis) -> None:
    assert client.config_get("port") == {"port": "0"}
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_server_left_running_is_ended_before_the_next_start(
    valkey: Valkey, process: subprocess.Popen[bytes]
) -> None:
    again = run(valkey)
    try:
        assert process.wait(5) == 0
    finally:
        stop(valkey.service(), again)
