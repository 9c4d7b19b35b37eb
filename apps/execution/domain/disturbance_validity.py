"""Whether the result of a disturbed attempt is compared."""

from __future__ import annotations

from collections.abc import Sequence

from apps.results.domain.disturbance_log import ABORTED, DISTURBED, DisturbanceLog
from apps.tools.messages import message
from apps.tools.translation import gettext_noop

CEPH_OSD = "ceph_osd"


def disturbance_fault(log: DisturbanceLog, kind: str) -> str:
    """Return why the disturbance was not carried out as planned; "" if it was."""
    if ABORTED in log.marks:
        return message("the disturbance ended early: %(reason)s", reason=log.reason or "?")
    if DISTURBED not in log.marks:
        return message("the load ended before the disturbance")
    if not log.is_complete(kind):
        words = gettext_noop("the load ended before the cluster had recovered for long enough")
        return message(words)
    return ""


def disturbance_warnings(log: DisturbanceLog) -> Sequence[str]:
    """Return a warning for a recovery that no sample shows, or that is no rebuild."""
    if log.is_readded:
        words = gettext_noop(
            "the array copied only what its bitmap names, so there are no figures of a rebuild"
        )
        return [message(words)]
    if not log.is_unseen:
        return []
    words = gettext_noop(
        "no sample shows a recovery, so the time to clean is no figure of one: fill the pool with "
        "more data"
    )
    return [message(words)]
