"""Sessions in a table with their user, so that a user sees and ends them.

Django documents this: "Extending database-backed session engines".
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from apps.accounts.models import Session

LOGIN = "login"
"""Session key: what a login tells about the browser, see `login_data`."""
USED = "used"
"""Session key: time of the last use in seconds since 1970, to about a minute."""


def login_data(
    *, browser: str, address: str, now: float, provider_session: str = ""
) -> dict[str, Any]:
    """Return the data of a new login, under the key LOGIN of its session."""
    return {
        "reference": uuid.uuid4().hex,
        "browser": "".join(letter for letter in browser if letter.isprintable())[:200],
        "address": address[:64],
        "since": now,
        "provider_session": provider_session,
    }


class SessionStore(DatabaseStore):
    """Store that fills the columns of `Session`."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row: Session = super().create_model_instance(data)  # type: ignore[assignment] # get_model_class names it
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        login: Mapping[str, Any] = data.get(LOGIN) or {}
        if login and row.user_id:
            row.reference = uuid.UUID(login["reference"])
            row.browser, row.address = login["browser"], login["address"]
            row.since = datetime.fromtimestamp(login["since"], UTC)
            row.provider_session = login["provider_session"]
        if USED in data:
            row.last_seen_at = datetime.fromtimestamp(data[USED], UTC)
        return row
