"""docker-compose.scale.yml: web, worker and beat of several machines; the servers are elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.harness.compose import ComposeFile, image_command
from tests.harness.documents import Document

ROOT = Path(__file__).parents[2]
NAME = "docker-compose.scale.yml"
TEXT = (ROOT / NAME).read_text()
SERVICES: Document = yaml.safe_load(TEXT)["services"]
ONE_MACHINE: Document = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
PROCESSES = ["web", "worker", "beat"]
REQUIRED = {
    "BENCHLAB_IMAGE", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "BENCHLAB_ENCRYPTION_KEYS",
    "BENCHLAB_S3_BUCKET", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
}  # fmt: skip


def test_a_machine_runs_only_what_its_profiles_name() -> None:
    assert {name: each["profiles"] for name, each in SERVICES.items()} == {
        name: [name] for name in ["migrate", *PROCESSES]
    }
    assert not any("depends_on" in each or "build" in each for each in SERVICES.values())


@pytest.mark.parametrize("service", PROCESSES)
@pytest.mark.parametrize("key", ["command", "healthcheck", "stop_grace_period", "ports", "init"])
def test_processes_are_those_of_one_machine(service: str, key: str) -> None:
    assert SERVICES[service].get(key) == ONE_MACHINE[service].get(key)


def test_what_has_no_default_has_to_be_set() -> None:
    assert set(re.findall(r"\$\{(\w+):\?", TEXT)) == REQUIRED
    with pytest.raises(KeyError, match="DATABASE_URL"):
        ComposeFile(NAME, {}).environment("web")


def test_the_owner_of_the_tables_is_known_to_migrate_only() -> None:
    knows = {name for name, each in SERVICES.items() if "DATABASE_OWNER_URL" in each["environment"]}
    assert knows == {"migrate"}
    lines = SERVICES["migrate"]["command"][-1].splitlines()
    assert lines[:2] == [
        "python manage.py create_db_role",
        'DATABASE_URL="$$DATABASE_OWNER_URL" python manage.py upgrade',
    ]


@pytest.mark.parametrize("service", PROCESSES)
def test_raw_output_is_in_s3_for_every_machine(service: str) -> None:
    environment = SERVICES[service]["environment"]
    assert environment["BENCHLAB_ARTIFACT_STORE"] == "s3"
    # Each variable is one that the settings or boto3 read: none is misspelt.
    documented = (ROOT / "docs/reference/environment.md").read_text()
    for name in environment:
        assert name in documented or name == "WEB_CONCURRENCY"


def test_variables_are_filled_as_compose_does() -> None:
    file = ComposeFile(NAME, {"A": "1", "EMPTY": ""})
    assert file.filled("$$HOME ${A} ${A:-2} ${EMPTY:-2} ${GONE:-} ${A:?set A}") == "$HOME 1 1 2  1"
    assert image_command()[:3] == ["python", "-m", "gunicorn"]
    assert file.command("web") == image_command()
