"""The table of verbs, and the frames of responses and errors."""

import sys
import traceback
from typing import Callable, Dict, Optional, Tuple

from .ceph.identity import cluster
from .disks.claim import inspect
from .errors import AgentError, FolderError, RequestError
from .facts.host import facts
from .frames import Channel
from .host.identity import boot_id, free_bytes, make_folders, now
from .jobs.cancel import cancel, delete_job
from .jobs.held_start import start_held
from .jobs.launch import launch
from .jobs.output import follow, read
from .jobs.status import status, wait
from .limits.packages import install_if_allowed
from .schema import Emit, Request, Response
from .targets.scratch import cleanup_directories
from .tuning.recovery import restore_journals

PayloadResponse = Tuple[Response, bytes]
JsonVerb = Callable[[str, Request], Response]


def ping(base: str, _request: Request) -> Response:
    """Return both clocks, the boot id and the bytes available for jobs.

    Raises: FolderError if the folder of jobs is missing and cannot be created.
    """
    try:
        make_folders(base)
    except OSError as error:
        raise FolderError(base, error) from None
    return {"boot_id": boot_id(), "free": free_bytes(base), **now()}


JSON_VERBS: Dict[str, JsonVerb] = {
    "ping": ping,
    "facts": facts,
    "cluster": cluster,
    "inspect": inspect,
    "launch": launch,
    "status": status,
    "cancel": cancel,
    "start_held": start_held,
    "restore_settings": restore_journals,
    "delete_job": delete_job,
    "cleanup_directories": cleanup_directories,
}
PAYLOAD_VERBS: Dict[str, Callable[[str, Request], PayloadResponse]] = {"read": read, "wait": wait}
STREAM_VERBS: Dict[str, Callable[[str, Request, Emit], Response]] = {
    "follow": follow,
    "install": install_if_allowed,
}


def run_verb(base: str, request: Request, emit: Emit) -> PayloadResponse:
    """Run one verb. Raises: AgentError."""
    verb = request.get("verb")
    if verb in PAYLOAD_VERBS:
        return PAYLOAD_VERBS[verb](base, request)
    if verb in STREAM_VERBS:
        return STREAM_VERBS[verb](base, request, emit), b""
    if verb in JSON_VERBS:
        return JSON_VERBS[verb](base, request), b""
    raise RequestError("The agent has no verb {!r}.".format(verb))


def error_response(error: Exception) -> Response:
    """Return an exception as a response; unexpected ones also write a traceback to stderr."""
    if isinstance(error, AgentError):
        kind: Optional[str] = error.kind
    else:
        kind = "bad-request" if isinstance(error, (KeyError, TypeError)) else "internal"
        log_traceback()
    message = str(error) or type(error).__name__
    if isinstance(error, KeyError):
        message = "The request lacks {}.".format(error)
    return {"ok": False, "error": kind, "message": message}


def log_traceback() -> None:
    """Write the traceback to stderr; errors are ignored, since the response matters more."""
    try:
        traceback.print_exc(file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        pass


def respond(channel: Channel, base: str, request: Request) -> None:
    """Send the response to one request, pieces first. Raises: BrokenPipeError without a client."""
    number = request.get("id")

    def emit(piece: Response, payload: bytes) -> None:
        channel.send({"id": number, "ok": True, "more": True, **piece}, payload)

    try:
        result, payload = run_verb(base, request, emit)
        channel.send({"id": number, "ok": True, **result}, payload)
    except BrokenPipeError:
        raise
    except Exception as error:
        channel.send({"id": number, **error_response(error)})
