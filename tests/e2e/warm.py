"""Workers and web servers that are forked from a process which has read benchlab's code already.

Their start takes more than a second of a processor, nearly all of it imports. The process here
makes them once for a stack, opens no connection and starts no thread; each fork then does what
`celery -A benchlab worker` or `gunicorn benchlab.wsgi` does, in a session, with a log
and an environment of its own. To hosts they send the agent with bytecode beside its sources, whose
sessions start in half of the time, unless they are to send it as it is shipped.

    python -m tests.e2e.warm [--shipped]      # asked by lines of JSON, as Warm does
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
NEEDED = (
    "benchlab.upload_limit",
    "benchlab.urls",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.worker.consumer",
    "kombu.transport.redis",
    "django.db.backends.postgresql.base",
    "django_celery_beat.schedulers",
    "gunicorn.app.wsgiapp",
    "gunicorn.arbiter",
    "gunicorn.workers.gthread",
)
SHIPPED = "--shipped"
MAINS = {"celery": ("celery.bin.celery", "main"), "gunicorn": ("gunicorn.app.wsgiapp", "run")}


class Warm:
    """Asks such a process for others."""

    def __init__(self, environment: dict[str, str], log: Path, shipped: bool = False) -> None:
        self.environment = dict(environment)
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.warm", *([SHIPPED] if shipped else [])],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )

    def start(self, words: list[str], more: dict[str, str], log: Path) -> Forked:
        """Run celery or gunicorn with these words and these variables besides."""
        return Forked(self, int(self.ask({"words": words, "more": more, "log": str(log)})))

    def ask(self, question: Any) -> Any:
        """The answer to one line."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self) -> None:
        """End it; what it has forked goes on."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        self.process.wait(10)


class Forked:
    """One of its workers, as subprocess.Popen shows a process."""

    def __init__(self, warm: Warm, pid: int) -> None:
        self._warm, self.pid, self.returncode = warm, pid, None

    returncode: int | None

    def poll(self) -> int | None:
        """The exit code, -n after signal n; None while it runs."""
        if self.returncode is None:
            self.returncode = self._warm.ask({"ended": self.pid})
        return self.returncode

    def wait(self, timeout: float) -> int:
        """The exit code once it has ended. Raises subprocess.TimeoutExpired."""
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.02)
        return code


def serve() -> None:
    """Import everything, then fork whatever is asked for until the input ends."""
    import django

    django.setup()
    from benchlab.celery import app

    app.loader.import_default_modules()
    for name in NEEDED:
        importlib.import_module(name)
    if SHIPPED not in sys.argv:
        _send_bytecode()
    # What is loaded is not looked at again, nor its memory copied for that.
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        question = json.loads(line)
        answer = _ended(question["ended"]) if "ended" in question else _forked(question)
        print(json.dumps(answer), flush=True)


def _send_bytecode() -> None:
    from apps.remote import session
    from apps.remote.agent_tests.client import compiled
    from apps.remote.build import Agent

    data = compiled()
    quick = Agent(data, hashlib.sha256(data).hexdigest())
    session.agent = lambda: quick  # type: ignore[assignment, attr-defined]  # no lru_cache: it is made here


def _ended(pid: int) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def _forked(question: dict[str, Any]) -> int:
    """The child's pid, as soon as it leads a session of its own."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            os.setsid()
            os.close(reading)
            os.close(writing)
            _work(question["words"], question["more"], question["log"])
        os._exit(70)
    os.close(writing)
    os.read(reading, 1)
    os.close(reading)
    return pid


def _work(words: list[str], more: dict[str, str], log: str) -> NoReturn:
    from django.conf import settings

    os.environ.update(more)
    settings.BENCHLAB_CRASH_POINT = os.environ.get("BENCHLAB_CRASH_POINT", "")
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, log, os.O_WRONLY | os.O_APPEND | os.O_CREAT),
        (2, log, os.O_WRONLY | os.O_APPEND | os.O_CREAT),
    ):
        opened = os.open(path, flags)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.argv = words
    module, name = MAINS[words[0]]
    sys.exit(getattr(importlib.import_module(module), name)())


if __name__ == "__main__":
    serve()
