"""What can go wrong, by the kind a client acts on."""

from typing import List


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


class RefusalError(AgentError):
    """The target or a setting may not be used; every reason is one sentence. Nothing was
    written.
    """

    kind = "refused"

    def __init__(self, reasons: List[str]) -> None:
        super().__init__(" ".join(reasons))
        self.reasons = reasons
