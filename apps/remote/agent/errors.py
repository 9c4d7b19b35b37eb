"""Errors by the code a client acts on."""

import errno
from typing import List

ADVICE = {
    errno.ENOSPC: "free some space there",
    errno.EDQUOT: "free some space there",
    errno.EROFS: "its file system has become read-only, which the host's kernel log explains",
}


class AgentError(Exception):
    """A response with `ok: false`; the message is a sentence."""

    kind = "failed"


class RequestError(AgentError):
    """The request is invalid; a retry does not help."""

    kind = "bad-request"


class AbsentError(AgentError):
    """The attempt or file does not exist on this host."""

    kind = "absent"


class BusyError(AgentError):
    """The job is running, or its journal is open."""

    kind = "busy"


class FolderError(AgentError):
    """The agent's folder is not writable: its file system is full, read-only or defective."""

    def __init__(self, base: str, error: OSError) -> None:
        sentence = "benchlab's own folder {} on this host cannot be written ({}); {}."
        advice = ADVICE.get(error.errno or 0, "look at its file system")
        super().__init__(sentence.format(base, error.strerror or error, advice))
        self.errno = error.errno


class RefusalError(AgentError):
    """A target or setting may not be used; each reason is a sentence. Nothing was written."""

    kind = "refused"

    def __init__(self, reasons: List[str]) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons


class TuningUnavailableError(RefusalError):
    """A setting does not exist on this host; no setting was changed."""
