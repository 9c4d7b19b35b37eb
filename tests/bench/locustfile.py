"""Somebody who uses benchlab: two pages for each call of the API, with pauses between them."""

from __future__ import annotations

import json
import os
import random

from locust import HttpUser, between, task

from tests.bench.addresses import CALLS, PAGES

KNOWN = json.loads(os.environ["BENCH_ARCHIVE"])


class Person(HttpUser):
    wait_time = between(2, 8)

    def on_start(self) -> None:
        self.client.cookies.set("sessionid", KNOWN["session"])
        # A pause may be longer than the server keeps a connection open.
        self.client.headers["Connection"] = "close"

    @task(2)
    def page(self) -> None:
        self._get(random.choice(PAGES))

    @task(1)
    def call(self) -> None:
        self._get(random.choice(CALLS))

    def _get(self, path: str) -> None:
        self.client.get(path.format(**KNOWN), name=path)
