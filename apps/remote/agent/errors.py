"""Errors by the kind a client acts on."""

import errno
from typing import List

ADVICE = {
    errno.ENOSPC: "free some space there",
    errno.EDQUOT: "free some space there",
    errno.EROFS: "its file system has become read-only, which the host's kernel log explains",
}


class AgentError(Exception):
    """An answer with `ok: false`; the message is a sentence for people."""

    kind = "failed"


class RequestError(AgentError):
    """The request itself is wrong: asking again the same way cannot help."""

    kind = "bad-request"


class AbsentError(AgentError):
    """No such attempt or file on this host."""

    kind = "absent"


class BusyError(AgentError):
    """Not now: the job is running, or its tuning is still on loan."""

    kind = "busy"


class FolderError(AgentError):
    """The agent's own folder takes no writes: its file system is full, or read-only, or failing."""

    def __init__(self, base: str, error: OSError) -> None:
        sentence = "benchlab's own folder {} on this host cannot be written ({}); {}."
        advice = ADVICE.get(error.errno or 0, "look at its file system")
        super().__init__(sentence.format(base, error.strerror or error, advice))
        self.errno = error.errno


class RefusalError(AgentError):
    """The target or a setting may not be used; every reason is one sentence. Nothing was
    written.
    """

    kind = "refused"

    def __init__(self, reasons: List[str]) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons


class ImpossibleError(RefusalError):
    """A tuning does not reach what it is for on this host; no setting was changed."""
