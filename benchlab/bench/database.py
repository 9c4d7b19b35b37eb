"""A PostgreSQL of the benchmark's own, as benchlab runs it, with benchlab's tables."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchlab.bench.row import CannotMeasure
from benchlab.standalone.errors import StartError
from benchlab.standalone.logfiles import log_tail
from benchlab.standalone.paths import Home
from benchlab.standalone.postgres import Postgres
from benchlab.standalone.postgres_fit import fitted
from benchlab.standalone.service import spawn, stop


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """The server in `folder`, an empty one where there is none; its address. Settings are those of
    bin/up, so what is committed is on the disk (fsync). Call from the main thread.
    """
    folder.mkdir(mode=0o711, exist_ok=True)
    try:
        home = Home(folder).make()
        postgres = Postgres.at(home, fitted(home.postgres))
        service = postgres.service()
        process = spawn(service)
    except StartError as error:
        raise CannotMeasure(str(error)) from error
    try:
        while not service.ready():
            if process.poll() is not None:
                raise CannotMeasure(f"PostgreSQL did not start:\n{log_tail(service.log)}")
            time.sleep(0.05)
        postgres.create_database()
        yield postgres.url
    finally:
        stop(service, process)


def use(url: str) -> None:
    """Django with benchlab's tables on that server, once in a process: settings are read once. Not
    from a loop, which Django refuses."""
    os.environ["DATABASE_URL"] = url
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchlab.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
