"""The table of verbs, and how an answer or an error becomes frames."""

import sys
import traceback
from typing import Callable, Dict, Optional, Tuple

from .ceph.identity import cluster
from .disks.claim import inspect
from .errors import AgentError, FolderError, RequestError
from .frames import Channel
from .host.facts import facts
from .host.identity import boot_id, free_bytes, make_folders, now
from .host.install import install
from .jobs.cancel import cancel, forget
from .jobs.holding import release
from .jobs.launch import launch
from .jobs.reading import follow, read
from .jobs.status import status, wait
from .shapes import Emit, Reply, Request
from .targets.scratch import tidy
from .tuning.recovery import recover

Answer = Tuple[Reply, bytes]
Plain = Callable[[str, Request], Reply]


def ping(base: str, _request: Request) -> Reply:
    """Both clocks and the boot: what contact needs to be believed; and the bytes left for jobs.
    Raises FolderError where the folder of jobs is missing and cannot be made."""
    try:
        make_folders(base)
    except OSError as error:
        raise FolderError(base, error) from None
    return {"boot_id": boot_id(), "free": free_bytes(base), **now()}


PLAIN: Dict[str, Plain] = {
    "ping": ping,
    "facts": facts,
    "cluster": cluster,
    "inspect": inspect,
    "launch": launch,
    "status": status,
    "cancel": cancel,
    "release": release,
    "recover": recover,
    "forget": forget,
    "tidy": tidy,
}
WITH_PAYLOAD: Dict[str, Callable[[str, Request], Answer]] = {"read": read, "wait": wait}
STREAMS: Dict[str, Callable[[str, Request, Emit], Reply]] = {"follow": follow, "install": install}


def perform(base: str, request: Request, emit: Emit) -> Answer:
    """Run one verb. Raises AgentError."""
    verb = request.get("verb")
    if verb in WITH_PAYLOAD:
        return WITH_PAYLOAD[verb](base, request)
    if verb in STREAMS:
        return STREAMS[verb](base, request, emit), b""
    if verb in PLAIN:
        return PLAIN[verb](base, request), b""
    raise RequestError("The agent has no verb {!r}.".format(verb))


def failure(error: Exception) -> Reply:
    """An exception as an answer; one that nobody foresaw also leaves its traceback on stderr."""
    if isinstance(error, AgentError):
        kind: Optional[str] = error.kind
    else:
        kind = "bad-request" if isinstance(error, (KeyError, TypeError)) else "internal"
        complain()
    message = str(error) or type(error).__name__
    if isinstance(error, KeyError):
        message = "The request lacks {}.".format(error)
    return {"ok": False, "error": kind, "message": message}


def complain() -> None:
    """The traceback on stderr, if that can be written: the answer matters more."""
    try:
        traceback.print_exc(file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        pass


def answer(channel: Channel, base: str, request: Request) -> None:
    """Answer one request, pieces first. Raises BrokenPipeError when nobody listens any more."""
    number = request.get("id")

    def emit(piece: Reply, payload: bytes) -> None:
        channel.send({"id": number, "ok": True, "more": True, **piece}, payload)

    try:
        result, payload = perform(base, request, emit)
        channel.send({"id": number, "ok": True, **result}, payload)
    except BrokenPipeError:
        raise
    except Exception as error:
        channel.send({"id": number, **failure(error)})
