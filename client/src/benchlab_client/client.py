"""The client: one object with every call."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional

from benchlab_client.calls.lab import LabCalls
from benchlab_client.calls.results import ResultCalls
from benchlab_client.calls.runs import RunCalls
from benchlab_client.config import Login, read_login
from benchlab_client.errors import LoginError
from benchlab_client.transport import Transport


class Client(LabCalls, RunCalls, ResultCalls):
    """A client of one server.

    Without arguments it uses BENCHLAB_URL and BENCHLAB_TOKEN, else the login that
    `benchlab login` stored. Raises: UsageError; LoginError without a token.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        environment: Mapping[str, str] = os.environ,
        **options: Any,
    ) -> None:
        login = Login(url, token) if url and token else read_login(url, environment)
        secret = token or login.token
        if not secret:
            raise LoginError(
                f"No token for {login.url}: run `benchlab login`, or set BENCHLAB_TOKEN."
            )
        self.transport = Transport(login.url, secret, **options)
