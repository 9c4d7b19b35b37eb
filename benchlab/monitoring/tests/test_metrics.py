"""What /metrics holds, with how many queries, and without the broker."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from apps.common.models import Backup
from apps.inventory.models import Host
from apps.plans.models import CaseTime, Workload
from apps.runs.models import Heartbeat, RunState
from apps.runs.services.heartbeats import heartbeat_end
from benchlab.monitoring import collector
from benchlab.monitoring.hosts import MAX_HOSTS
from benchlab.monitoring.tests.world import (
    UNRESTORED,
    create_lab,
    key,
    metrics_token,
    scraped,
    value,
    values,
)
from benchlab.version import VERSION

DOCS = Path(__file__).resolve().parents[3] / "docs/operations"
OPEN_METRICS = "application/openmetrics-text;version=1.0.0,*/*;q=0.1"
needs_promtool = pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool here")


@pytest.fixture
def secret(db: None) -> str:
    return metrics_token(create_lab())


def test_metrics_tell_the_state_of_the_lab(secret: str) -> None:
    found = values(scraped(secret))
    expected = {
        key("build_info", version=VERSION): 1,
        key("broker_up"): 1,
        key("runs", state="queued"): 2,
        key("runs", state="lost"): 1,
        key("runs", state="succeeded"): 0,
        key("cases", state="running"): 1,
        key("unknown_attempts"): 1,
        key("abandoned_attempts"): 0,
        key("unrestored_settings", host="node-1"): 0,
        key("unrestored_settings", host="node-2"): 2,
        key("applied_settings", host="node-1"): 3,
        key("applied_settings", host="node-2"): 0,
        key("host_up", host="node-1"): 1,
        key("host_up", host="node-2"): 0,
        key("hosts", state="disabled"): 1,
        key("hosts", state="unreachable"): 1,
        key("workers", component="engine"): 1,
        key("workers", component="worker"): 0,
        key("notifications", state="failed"): 0,
        key("store_bytes", store="s3"): 0,
        key("expectations_missed"): 0,
    }
    told = {name: found.get(name) for name in expected}
    assert told == expected
    ages = {
        key("oldest_queued_seconds"): 2 * 3600,
        key("backup_age_seconds"): 3 * 86400,
        key("results_age_seconds", host="node-1", tool="fio"): 9 * 86400,
        key("worker_heartbeat_age_seconds", component="engine", process="box:1"): 0,
        key("host_check_age_seconds", host="node-1"): 0,
    }
    measured = {name: found.get(name) for name in ages}
    assert measured == pytest.approx(ages, abs=30)
    assert (value(found, "database_bytes") or 0) > 1_000_000


@pytest.mark.parametrize("host", ["node-3", "node-4"])
def test_disabled_and_unchecked_hosts_are_neither_up_nor_down(secret: str, host: str) -> None:
    assert value(values(scraped(secret)), "host_up", host=host) is None


def test_backup_age_is_infinite_without_one(secret: str) -> None:
    Backup.objects.all().delete()
    assert value(values(scraped(secret)), "backup_age_seconds") == math.inf
    cache.clear()
    assert value(values(scraped(secret)), "backup_age_seconds") == math.inf


def test_stopped_process_leaves_no_heartbeat(secret: str) -> None:
    heartbeat_end(Heartbeat.Component.ENGINE, "box:1")
    found = values(scraped(secret))
    assert value(found, "workers", component="engine") == 0
    assert value(found, "worker_heartbeat_age_seconds", component="engine", process="box:1") is None


def test_second_scrape_within_ten_seconds_is_cached(
    secret: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    first = scraped(secret)
    with django_assert_max_num_queries(2):  # of the token
        assert values(scraped(secret)) == values(first)


def test_without_broker_metrics_are_complete_and_fresh(secret: str, settings: LazySettings) -> None:
    complete = values(scraped(secret))
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"
    Host.objects.filter(name="node-2").update(unrestored_settings=[])
    found = values(scraped(secret))
    assert value(found, "broker_up") == 0
    queue = {name for name, _labels in complete} - {name for name, _labels in found}
    assert queue == {"benchlab_queue_length"}
    assert value(found, "unrestored_settings", host="node-2") == 0


def test_without_broker_slow_metrics_are_computed_once(
    secret: str, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"
    monkeypatch.setattr(time, "monotonic", lambda: 1e9)
    collector.slow_in_memory.cache_clear()
    first = scraped(secret)
    with CaptureQueriesContext(connection) as queries:
        second = scraped(secret)
    assert not any("pg_database_size" in query["sql"] for query in queries)
    assert value(values(second), "database_bytes") == value(values(first), "database_bytes")
    collector.slow_in_memory.cache_clear()


def test_labels_are_few_and_bounded(secret: str, settings: LazySettings) -> None:
    settings.LAKE = "/srv/lake"
    labels = {label for _name, labels in values(scraped(secret)) for label, _value in labels}
    assert labels == {"component", "host", "process", "state", "store", "tool", "version"}


def test_openmetrics_has_the_same_values(secret: str) -> None:
    text = scraped(secret, Accept=OPEN_METRICS)
    assert text.endswith("# EOF\n")
    assert "benchlab_build_info" in text
    assert values(text.removesuffix("# EOF\n")).keys() == values(scraped(secret)).keys()


def test_host_name_is_the_only_text_of_a_host(secret: str) -> None:
    text = scraped(secret)
    for private in ("192.0.2.", "the disk is gone", "nr_requests", "boss"):
        assert private not in text


@needs_promtool
def test_promtool_finds_nothing_to_improve(secret: str) -> None:
    checked = subprocess.run(
        ["promtool", "check", "metrics"],
        input=scraped(secret), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_every_metric_is_documented_with_its_labels(secret: str, settings: Settings) -> None:
    settings.LAKE = "/srv/lake"
    told = {
        (name, *sorted(label for label, _value in labels))
        for name, labels in values(scraped(secret))
    }
    rows = re.findall(r"^\| `(benchlab_\w+)` \|([^|]*)\|", (DOCS / "metrics.md").read_text(), re.M)
    written = {(name, *sorted(re.findall(r"`(\w+)`", labels))) for name, labels in rows}
    assert written == told


@pytest.fixture
def many_hosts(secret: str) -> str:
    """500 hosts, each measured several times with three tools."""
    present = Host.objects.exclude(kind=Host.Kind.IMPORTED_ONLY).count()
    Host.objects.bulk_create(
        Host(name=f"h{n}", kind=Host.Kind.SSH, address="192.0.2.9", health=Host.Health.OK)
        for n in range(MAX_HOSTS - present)
    )
    workload = Workload.objects.all()[0]
    CaseTime.objects.bulk_create(
        CaseTime(host=host, tool=tool, workload=workload, planned=1, taken=1)
        for host in Host.objects.filter(name__startswith="h")
        for tool in ("fio", "dd", "iperf")
        for _ in range(4)
    )
    return secret


def test_500_hosts_take_the_queries_of_few(secret: str, request: pytest.FixtureRequest) -> None:
    with CaptureQueriesContext(connection) as few:
        collector._state()
        collector._slow()
    request.getfixturevalue("many_hosts")
    with CaptureQueriesContext(connection) as many:
        collector._state()
        collector._slow()
    assert 0 < len(many) <= len(few)
    assert scraped(secret).count("benchlab_host_up{") >= 490


def test_more_hosts_have_samples_where_they_need_attention(many_hosts: str) -> None:
    Host.objects.create(name="last", kind=Host.Kind.SSH, address="192.0.2.9")
    found = values(scraped(many_hosts))
    assert value(found, "unrestored_settings", host="node-2") == 2
    assert value(found, "unrestored_settings", host="h1") is None
    assert value(found, "host_up", host="node-2") == 0
    assert value(found, "host_up", host="h1") is None
    assert value(found, "results_age_seconds", host="node-1", tool="fio") is None
    assert value(found, "applied_settings", host="node-1") == 3
    assert value(found, "hosts", state="ok") == pytest.approx(MAX_HOSTS, abs=10)
    assert len(found) < 100


def test_run_states_are_those_of_the_model(secret: str) -> None:
    found = values(scraped(secret))
    states = {dict(labels)["state"] for name, labels in found if name == "benchlab_runs"}
    assert states == {str(state) for state in RunState}


def test_unrestored_settings_sum_over_attempts(secret: str, owner: User) -> None:
    Host.objects.filter(name="node-1").update(unrestored_settings=[UNRESTORED, UNRESTORED])
    assert value(values(scraped(secret)), "unrestored_settings", host="node-1") == 4
