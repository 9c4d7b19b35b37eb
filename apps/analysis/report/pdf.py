"""HTML to PDF through Chromium, where this machine has one: bounded in time and memory, one at a
time, and without a way out: the document forbids itself to load anything, and Chromium knows no
name and no way to other machines.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.remote.agent.jobs.processes import die_with_parent

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 90.0
MAX_MEMORY_BYTES = 1536 << 20
"""Bytes in memory of Chromium's processes together."""
TIMEOUT_SECONDS = 20.0
"""Seconds to wait for another report that is being made."""
POLL_SECONDS = 0.2
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-default-apps", "--no-pdf-header-footer", "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9",
    "--virtual-time-budget=30000", "--window-size=712,1000",
    "--run-all-compositor-stages-before-draw",
)  # fmt: skip


def chromium() -> str | None:
    """The program; None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def pdf_of(document: str) -> bytes:
    """The document on paper. Raises ServiceError: 501 without Chromium, 503 while another one is
    made or where it takes too much time or memory.
    """
    program = chromium()
    if program is None:
        raise _refused(
            _("There is no Chromium on this machine. The HTML file prints the same way."), 501
        )
    with _turn(), tempfile.TemporaryDirectory(prefix="benchlab-pdf-") as name:
        folder = Path(name)
        source, target = folder / "report.html", folder / "report.pdf"
        source.write_text(document, "utf-8")
        words = [program, *FLAGS, f"--user-data-dir={folder / 'profile'}"]
        _run([*words, f"--print-to-pdf={target}", source.as_uri()], folder)
        if not target.is_file():
            raise _refused(_("Chromium made no PDF of this report."), 503)
        return target.read_bytes()


def _refused(message: str, status: int) -> ServiceError:
    return ServiceError(message, {"format": message}, status=status)


@contextlib.contextmanager
def _turn() -> Iterator[None]:
    """One PDF at a time on this machine."""
    path = Path(settings.HOME) / "pdf.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w") as lock:
        last = time.monotonic() + TIMEOUT_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > last:
                    raise _refused(_("Another PDF is being made. Try again."), 503) from None
                time.sleep(POLL_SECONDS)
        yield


def _run(words: list[str], folder: Path) -> None:
    """Run it in a session of its own, which is ended whole when it takes too much."""
    environment = {"HOME": str(folder), "PATH": os.environ.get("PATH", ""), "TMPDIR": str(folder)}
    with (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            words, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=errors,
            stderr=errors, start_new_session=True, preexec_fn=die_with_parent,
        )  # fmt: skip
        last = time.monotonic() + SECONDS
        try:
            while process.poll() is None:
                if time.monotonic() > last:
                    raise _refused(_("The PDF took too long. The HTML file prints the same."), 503)
                if memory_of(process.pid) > MAX_MEMORY_BYTES:
                    words_of = _("The PDF took too much memory. The HTML file prints the same.")
                    raise _refused(words_of, 503)
                time.sleep(POLL_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def memory_of(session: int) -> int:
    """Bytes in memory of all processes of a session; what they share counts in each."""
    page = os.sysconf("SC_PAGE_SIZE")
    found = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                # The name, in brackets, may hold anything; after it: state, parent, group, session.
                rest = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(rest[3]) == session:
                    found += int((folder / "statm").read_text().split()[1]) * page
    return found
