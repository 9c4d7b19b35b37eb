"""A real Prometheus scrapes benchlab as the documentation says, and answers every expression."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
import yaml
from pytest_django.live_server_helper import LiveServer

from apps.accounts.models import ApiToken
from benchlab.local.processes import Service, running
from benchlab.monitoring.tests.dashboards import RULES, expressions, variables
from benchlab.monitoring.tests.world import create_lab, metrics_token
from tests.harness.waiting import until

PAGE = RULES.parent.parent / "metrics.md"
Ask = Callable[[str], list[Any]]

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not shutil.which("prometheus"), reason="no Prometheus here"),
]


def scrape_config(text: str, server: LiveServer, token: Path) -> list[dict[str, Any]]:
    """The job of the documentation, for this server and every second; one with a wrong token."""
    (block,) = re.findall(r"```yaml\n(.+?)```", text, re.S)
    (job,) = yaml.safe_load(block)
    assert job["authorization"].keys() == {"type", "credentials_file"}
    job["authorization"]["credentials_file"] = str(token)
    job |= {"scrape_interval": "1s", "scrape_timeout": "1s"}
    job["static_configs"] = [{"targets": [server.url.removeprefix("http://")]}]
    wrong = job | {"job_name": "wrong", "authorization": {"type": "Token", "credentials": "0" * 64}}
    return [job, wrong]


@pytest.fixture
def server(transactional_db: None, request: pytest.FixtureRequest) -> LiveServer:
    """A web server with the module's settings: `live_server` alone would start before they hold."""
    result: LiveServer = request.getfixturevalue("live_server")
    return result


@pytest.fixture
def prometheus(server: LiveServer, tmp_path: Path) -> Iterator[str]:
    """The address of a Prometheus that scrapes a lab and loads the alert rules."""
    token = tmp_path / "token"
    token.write_text(metrics_token(create_lab()))
    config = tmp_path / "prometheus.yml"
    jobs = scrape_config(PAGE.read_text(), server, token)
    settings = {"global": {"evaluation_interval": "1s"}, "rule_files": [str(RULES)]}
    config.write_text(yaml.safe_dump(settings | {"scrape_configs": jobs}))
    checked = subprocess.run(
        ["promtool", "check", "config", str(config)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = ("prometheus", f"--config.file={config}", f"--storage.tsdb.path={tmp_path / 'data'}")
    service = Service(
        "prometheus", (*argv, f"--web.listen-address=127.0.0.1:{port}"), tmp_path / "log"
    )
    with running(service):
        yield f"http://127.0.0.1:{port}/api/v1"


@pytest.fixture
def ask(prometheus: str) -> Ask:
    """`ask(expression)`: the instant vector, once there are scrapes of ten seconds."""

    def query(expression: str) -> list[Any]:
        data = fetched(f"{prometheus}/query?{urlencode({'query': expression})}")
        return list(data["result"])

    def is_scraped() -> bool:
        try:
            return bool(query('count_over_time(benchlab_build_info{job="benchlab"}[1m]) > 5'))
        except OSError:
            return False

    until(is_scraped, seconds=60)
    return query


def fetched(url: str) -> Any:
    with urlopen(url, timeout=10) as answer:
        body = json.load(answer)
    assert body["status"] == "success"
    return body["data"]


def value(result: list[Any]) -> float:
    (one,) = result
    return float(one["value"][1])


def test_every_expression_has_a_value(ask: Ask, prometheus: str) -> None:
    asked = list(expressions())
    assert len(asked) > 20
    assert [title for title, expression in asked if not ask(expression)] == []
    assert value(ask('up{job="benchlab"}')) == 1
    assert value(ask('up{job="wrong"}')) == 0
    assert value(ask("sum(benchlab_unrestored_settings)")) == 2
    query = str(variables("operations")["host"]["query"]["query"])
    (metric, label) = re.fullmatch(r"label_values\((\w+), (\w+)\)", query).groups()  # type: ignore[union-attr] # a mismatch fails the test
    hosts = fetched(f"{prometheus}/label/{label}/values?{urlencode({'match[]': metric})}")
    assert {"node-1", "node-2"} <= set(hosts)
    _check_rules(ask, prometheus)


def _check_rules(ask: Ask, prometheus: str) -> None:
    """Every rule is healthy; those of this lab are pending or firing, and no other."""
    (group,) = fetched(f"{prometheus}/rules")["groups"]
    assert {rule["health"] for rule in group["rules"]} == {"ok"}
    active = {rule["name"] for rule in group["rules"] if rule["state"] != "inactive"}
    assert active == {
        "BenchlabUnrestoredSettings",
        "BenchlabProcessMissing",
        "BenchlabRunsNotStarted",
        "BenchlabUnknownAttempts",
        "BenchlabHostUnreachable",
        "BenchlabBackupOld",
        "BenchlabNothingMeasured",
    }


def test_revoked_token_takes_the_target_down(ask: Ask) -> None:
    assert value(ask('up{job="benchlab"}')) == 1
    ApiToken.objects.all().delete()
    until(lambda: value(ask('up{job="benchlab"}')) == 0, seconds=30)
