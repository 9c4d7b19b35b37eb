"""Address and token: from the environment, else from the file that `benchlab login` writes."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Dict, Mapping, NamedTuple, Optional

from benchlab_client.errors import UsageError
from benchlab_client.transport import base_url

DEFAULT_URL = "http://127.0.0.1:8000"


class Login(NamedTuple):
    """Address of the server, and a token or an empty string."""

    url: str
    token: str


def config_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the file, usually ~/.config/benchlab/config.json."""
    home = environment.get("XDG_CONFIG_HOME", "")
    folder = Path(home) if home.startswith("/") else Path.home() / ".config"
    return folder / "benchlab" / "config.json"


def read_login(url: Optional[str] = None, environment: Mapping[str, str] = os.environ) -> Login:
    """Return the login for an address: `url`, else BENCHLAB_URL, else the one of the last login.

    A stored token is used for its own address only. Raises: UsageError.
    """
    address = url or environment.get("BENCHLAB_URL", "")
    token = environment.get("BENCHLAB_TOKEN", "").strip()
    if address and token:
        return Login(base_url(address), token)
    stored = _read(config_file(environment))
    found = base_url(address or stored.get("url") or DEFAULT_URL)
    return Login(found, token or stored.get(f"token {found}", ""))


def write_login(login: Login, environment: Mapping[str, str] = os.environ) -> Path:
    """Store a login; the file is readable by its owner only. Raises: UsageError."""
    path = config_file(environment)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        stored = {**_read(path), "url": login.url, f"token {login.url}": login.token}
        _replace(path, json.dumps(stored, indent=1) + "\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
    return path


def _replace(path: Path, text: str) -> None:
    # mkstemp creates the file with mode 0600: the token is never readable by others.
    number, name = tempfile.mkstemp(dir=str(path.parent), prefix=".config-")
    try:
        with os.fdopen(number, "w") as file:
            file.write(text)
        os.replace(name, str(path))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _read(path: Path) -> Dict[str, str]:
    try:
        with path.open() as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise UsageError(f"Others can read {path}, which has a token: chmod 600 {path}")
            stored = json.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}): delete it and log in again.") from None
    if not isinstance(stored, dict):
        raise UsageError(f"{path} has no login: delete it and log in again.")
    return {str(name): str(value) for name, value in stored.items()}
