"""Typed readers of environment variables; secrets may be in the file `<NAME>_FILE`."""

from __future__ import annotations

import os
import secrets
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from string import Formatter
from typing import Any, TypedDict
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from apps.lake.domain.locations import canonical_location, location_error


def env_str(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def env_int(name: str, default: int) -> int:
    raw = os.environ.get(name, "")
    try:
        return int(raw) if raw else default
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}.") from error


def env_bool(name: str, default: bool) -> bool:
    raw = os.environ.get(name, "").lower()
    if raw in ("", "1", "yes", "true", "on", "0", "no", "false", "off"):
        return default if not raw else raw in ("1", "yes", "true", "on")
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {raw!r}.")


def env_choice(name: str, default: str, *others: str) -> str:
    raw = os.environ.get(name, "") or default
    if raw not in (default, *others):
        choices = ", ".join((default, *others))
        raise ImproperlyConfigured(f"{name} must be one of {choices}, not {raw!r}.")
    return raw


def env_lake(name: str) -> str:
    """Return an absolute folder or s3://bucket/prefix; empty without one."""
    raw = os.environ.get(name, "")
    if raw and (error := location_error(raw)):
        raise ImproperlyConfigured(f"{name}: {error}, not {raw!r}.")
    return canonical_location(raw)


def env_list(name: str, default: str = "") -> list[str]:
    return [item.strip() for item in os.environ.get(name, default).split(",") if item.strip()]


def env_networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return addresses and networks (10.0.0.0/8), separated by commas."""
    try:
        return [ip_network(item) for item in env_list(name)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}: {error}") from error


def env_url_template(name: str, *placeholders: str) -> str:
    """Return an http or https URL with `{placeholders}` after its host; empty without one."""
    raw = os.environ.get(name, "")
    if not raw:
        return ""
    try:
        parts = urlsplit(raw)
        fields = {field for _text, field, *_ in Formatter().parse(raw) if field is not None}
        raw.format(**dict.fromkeys(placeholders, "x"))
    except (ValueError, KeyError, IndexError, AttributeError) as error:
        raise ImproperlyConfigured(f"{name}: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or "{" in parts.netloc:
        raise ImproperlyConfigured(f"{name} must be an http or https URL with a host.")
    if unknown := sorted(fields - set(placeholders)):
        raise ImproperlyConfigured(f"{name}: unknown placeholders: {', '.join(unknown)}")
    return raw


def env_secret(name: str) -> str:
    """Return the variable, or the content of the file in `<NAME>_FILE`; empty without both."""
    path = os.environ.get(f"{name}_FILE")
    if path and not os.environ.get(name):
        try:
            return Path(path).read_text().strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE: cannot read {path}: {error}") from error
    return os.environ.get(name, "")


def secret_or_generated(name: str, home: Path) -> str:
    """Return a secret of the environment, else of BENCHLAB_HOME; generate it on first use."""
    value = env_secret(name)
    if value:
        return value
    path = home / "secrets" / name.lower()
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(_generate_secret(name))
        new.rename(path)
    return path.read_text().strip()


def _generate_secret(name: str) -> str:
    if name == "BENCHLAB_ENCRYPTION_KEYS":
        from cryptography.fernet import Fernet

        return Fernet.generate_key().decode()
    return secrets.token_urlsafe(48)


class Database(TypedDict, total=False):
    """Entry of Django's DATABASES."""

    ENGINE: str
    NAME: str
    USER: str
    PASSWORD: str
    HOST: str
    PORT: str
    OPTIONS: dict[str, Any]
    CONN_MAX_AGE: int
    CONN_HEALTH_CHECKS: bool


def database_from_url(url: str) -> Database:
    """Parse `postgresql://user:password@host:port/name?host=/socket/folder` for DATABASES."""
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://")
    query = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "benchlab",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", "") or parts.hostname or "",
        "PORT": str(parts.port or query.pop("port", "")),
        "OPTIONS": dict(query),
    }
