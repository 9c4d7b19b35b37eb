"""Whether a server needs a newer client."""

from __future__ import annotations

import re
from typing import Tuple

from benchlab_client.client import Client
from benchlab_client.errors import BenchlabError
from benchlab_client.version import VERSION


def min_client(client: Client) -> str:
    """Return the oldest client that the server accepts, "" if this one is not older."""
    try:
        least = str(client.version().get("min_client", ""))
    except BenchlabError:
        return ""
    return least if _numbers(VERSION) < _numbers(least) else ""


def _numbers(version: str) -> Tuple[int, ...]:
    """Return the numbers of a release; those of a development version are of its release."""
    return tuple(int(part) for part in re.match(r"[0-9.]*", version)[0].split(".") if part)  # type: ignore[index] # it matches always
