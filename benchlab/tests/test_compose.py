"""docker-compose.yml: who reaches whom, and with which rights. (Nothing here needs Docker.)"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from tests.harness.documents import Document

ROOT = Path(__file__).parents[2]
COMPOSE: Document = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: Document = COMPOSE["services"]
OURS = ["migrate", "web", "worker", "beat"]
SERVERS = ["postgres", "redis"]


def networks(name: str) -> set[str]:
    return set(SERVICES[name]["networks"])


def variable(name: str, service: str) -> str:
    """A variable as it is when each password is its own name."""
    text: str = SERVICES[service]["environment"][name]
    return re.sub(r"\$\{(\w+)[^}]*\}", r"\1", text)


@pytest.mark.parametrize("server", SERVERS)
def test_only_benchlab_reaches_database_and_broker(server: str) -> None:
    assert COMPOSE["networks"]["data"] == {"internal": True}
    reach = {name for name in SERVICES if networks(name) & networks(server)}
    assert reach == {*OURS, *SERVERS}
    assert "ports" not in SERVICES[server]


def test_a_machine_to_try_things_on_meets_the_worker_only() -> None:
    meets = {name for name in SERVICES if networks(name) & networks("ssh-target")}
    assert meets == {"ssh-target", "worker"}


@pytest.mark.parametrize("service", OURS)
def test_the_application_is_not_the_owner_of_its_tables(service: str) -> None:
    address = urlsplit(variable("DATABASE_URL", service))
    assert address.username not in ("", SERVICES["postgres"]["environment"]["POSTGRES_USER"])
    assert address.password == "POSTGRES_APP_PASSWORD"
    assert ("DATABASE_OWNER_URL" in SERVICES[service]["environment"]) is (service == "migrate")


def test_the_role_is_made_before_tables_are_and_migrations_run_as_the_owner() -> None:
    lines = SERVICES["migrate"]["command"][-1].splitlines()
    words = [re.sub(r"^(\S+=\S+ )?python manage.py ", "", line).split()[0] for line in lines]
    assert words[:2] == ["create_db_role", "migrate"]
    assert lines[1].startswith('DATABASE_URL="$$DATABASE_OWNER_URL" ')


@pytest.mark.parametrize("service", OURS)
def test_the_broker_asks_for_a_password(service: str) -> None:
    assert urlsplit(variable("REDIS_URL", service)).password == "REDIS_PASSWORD"
    told = SERVICES["redis"]["command"][-1]
    assert "requirepass" in told
    assert "REDIS_PASSWORD" not in told.replace("$$REDIS_PASSWORD", "")


OPTIONAL = {"BENCHLAB_OIDC_CLIENT_SECRET", "BENCHLAB_PASSWORD_LOGIN"}
"""Of a provider, which not every lab has; and a policy, which is no password."""


def test_every_password_has_to_be_set() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    secrets = set(re.findall(r"\$\{(\w*(?:PASSWORD|SECRET|ENCRYPTION)\w*)", text))
    secrets -= OPTIONAL
    assert len(secrets) == 6
    assert [name for name in secrets if f"${{{name}:?" not in text] == []
