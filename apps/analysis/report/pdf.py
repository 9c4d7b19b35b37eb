"""HTML to PDF through Chromium, limited in time and memory, one at a time.

The document's policy forbids loading, and Chromium resolves no host name and uses a dead proxy.
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
from apps.remote.agent.processes.start import die_with_parent

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 90.0
MAX_MEMORY_BYTES = 1536 << 20
"""Limit of resident memory of Chromium's processes."""
TIMEOUT_SECONDS = 20.0
"""Wait for another PDF in progress."""
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
    """Return the path of Chromium; None if it is not installed."""
    return next((result for name in NAMES if (result := shutil.which(name))), None)


def pdf_of(document: str) -> bytes:
    """Return the document as PDF.

    Raises: ServiceError: 501 without Chromium, 503 while another PDF is made or above the limits.
    """
    program = chromium()
    if program is None:
        raise _pdf_error(
            _("There is no Chromium on this machine. The HTML file prints the same way."), 501
        )
    with _pdf_lock(), tempfile.TemporaryDirectory(prefix="benchlab-pdf-") as name:
        folder = Path(name)
        source, target = folder / "report.html", folder / "report.pdf"
        source.write_text(document, "utf-8")
        argv = [program, *FLAGS, f"--user-data-dir={folder / 'profile'}"]
        _run([*argv, f"--print-to-pdf={target}", source.as_uri()], folder)
        if not target.is_file():
            raise _pdf_error(_("Chromium made no PDF of this report."), 503)
        return target.read_bytes()


def _pdf_error(message: str, status: int) -> ServiceError:
    return ServiceError(message, {"format": message}, status=status)


@contextlib.contextmanager
def _pdf_lock() -> Iterator[None]:
    """Lock PDF creation on this machine."""
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
                    raise _pdf_error(_("Another PDF is being made. Try again."), 503) from None
                time.sleep(POLL_SECONDS)
        yield


def _run(argv: list[str], folder: Path) -> None:
    """Run Chromium in its own session, which is killed as a whole above the limits."""
    environment = {"HOME": str(folder), "PATH": os.environ.get("PATH", ""), "TMPDIR": str(folder)}
    with (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            argv, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=errors,
            stderr=errors, start_new_session=True, preexec_fn=die_with_parent,
        )  # fmt: skip
        last = time.monotonic() + SECONDS
        try:
            while process.poll() is None:
                if time.monotonic() > last:
                    raise _pdf_error(
                        _("The PDF took too long. The HTML file prints the same."), 503
                    )
                if memory_of(process.pid) > MAX_MEMORY_BYTES:
                    message = _("The PDF took too much memory. The HTML file prints the same.")
                    raise _pdf_error(message, 503)
                time.sleep(POLL_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def memory_of(session: int) -> int:
    """Return the resident bytes of all processes of a session; shared pages count repeatedly."""
    page = os.sysconf("SC_PAGE_SIZE")
    result = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                # The name in brackets may contain anything; then state, parent, group, session.
                rest = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(rest[3]) == session:
                    result += int((folder / "statm").read_text().split()[1]) * page
    return result
