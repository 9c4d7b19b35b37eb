"""Whether a cluster may be disturbed now."""

from typing import Any, Callable, Dict, List, Optional

from ..ceph.ceph_cli import CephError
from ..ceph.mon_connection import MonConnection
from ..errors import RefusalError
from ..schema import ClusterSample, Disturbance
from ..tuning.md_settings import ArraySource
from .cluster_state import is_clean, is_moving, parse_status, unclean_text
from .request import DEEP_SCRUB

MAX_FILL_PERCENT = 75.0
CLEAN_CHECKS = 3  # consecutive, since placement groups report with a delay
POLL_SECONDS = 1.0
# With one of these the cluster does not recover, or not as it does otherwise.
FLAGS = (
    *("noout", "norecover", "nobackfill", "norebalance", "nodown", "noup", "noin"),
    *("pauserd", "pausewr"),
)
SCRUB_FLAGS = ("noscrub", "nodeep-scrub")
FOREIGN = "Disturbance: this host is a client of cluster {}, not of {}."
FLAG = "Disturbance: the cluster has the flag {}; unset it first."
NO_OSD = "Disturbance: the cluster has no osd.{}."
NOT_IN = "Disturbance: osd.{} is not up and in."
TOO_FULL = (
    "Disturbance: without osd.{} the fullest OSD would be full to {:.0f}%; at most {:.0f}% is "
    "allowed."
)
ALONE = "Disturbance: osd.{} is the only OSD that is in."
UNSAFE = "Disturbance: osd.{} may not be stopped now ({})."
NOT_CLEAN = "Disturbance: not all placement groups were active and clean for {:.0f} seconds ({})."
NO_ANSWER = "Disturbance: {}"
NOT_REBUILT = "Disturbance: the array was not rebuilt within {:.0f} seconds."


def require_undisturbed(
    ceph: MonConnection,
    wanted: Disturbance,
    sleep: Callable[[float], None],
    clock: Callable[[], float],
) -> None:
    """Wait until the cluster is clean, then check that it may be disturbed.

    `sleep` raises on a cancel. Raises: RefusalError with every reason.
    """
    try:
        reason = identity_reason(ceph, wanted)
        if reason:
            raise RefusalError([reason])
        wait_until_clean(
            lambda: parse_status(ceph.query("status") or {}),
            NOT_CLEAN,
            wanted["timeout"],
            sleep,
            clock,
        )
        reasons = refusal_reasons(ceph, wanted)
    except CephError as error:
        raise RefusalError([NO_ANSWER.format(error)]) from None
    if reasons:
        raise RefusalError(reasons)


def identity_reason(ceph: MonConnection, wanted: Disturbance) -> str:
    """Return why this is not the cluster that was claimed; "" if it is."""
    fsid = str((ceph.query("fsid") or {}).get("fsid"))
    return "" if fsid == wanted["fsid"] else FOREIGN.format(fsid, wanted["fsid"])


def require_sound_array(
    source: ArraySource,
    wanted: Disturbance,
    sleep: Callable[[float], None],
    clock: Callable[[], float],
) -> None:
    """Wait for the rebuild of the repeat before; check that the member may fail now.

    Raises: RefusalError with every reason.
    """
    if is_moving(source.look()[0]):
        wait_until_clean(lambda: source.look()[0], NOT_REBUILT, wanted["timeout"], sleep, clock)
    reasons = source.reasons(wanted)
    if reasons:
        raise RefusalError(reasons)


def wait_until_clean(
    look: Callable[[], ClusterSample],
    sentence: str,
    timeout: float,
    sleep: Callable[[float], None],
    clock: Callable[[], float],
) -> None:
    """Wait until everything is active and clean. Raises: RefusalError, CephError."""
    deadline, clean = clock() + timeout, 0
    while clean < CLEAN_CHECKS:
        sample = look()
        clean = clean + 1 if is_clean(sample) else 0
        if clean == 0 and clock() > deadline:
            raise RefusalError([sentence.format(timeout, unclean_text(sample))])
        sleep(POLL_SECONDS)


def refusal_reasons(ceph: MonConnection, wanted: Disturbance) -> List[str]:
    """Return all reasons against the disturbance. Raises: CephError."""
    dump = ceph.query("osd dump") or {}
    reasons = [FLAG.format(flag) for flag in set_flags(dump, wanted)]
    if wanted["kind"] == DEEP_SCRUB:
        return reasons
    number = wanted["osd"]
    row = osd_row(dump, number)
    if row is None:
        return [*reasons, NO_OSD.format(number)]
    if not (row.get("up") and row.get("in")):
        reasons.append(NOT_IN.format(number))
    reasons.append(fill_reason(ceph.query("osd df") or {}, number))
    reasons.append(stop_reason(ceph, number))
    return [reason for reason in reasons if reason]


def set_flags(dump: Dict[str, Any], wanted: Disturbance) -> List[str]:
    """Return the flags of the cluster, and of this OSD, that forbid the disturbance."""
    flags = str(dump.get("flags") or "").split(",")
    forbidden = FLAGS + (SCRUB_FLAGS if wanted["kind"] == DEEP_SCRUB else ())
    row = osd_row(dump, wanted["osd"]) or {}
    own = [str(word) for word in row.get("state") or []]
    return [flag for flag in forbidden if flag in flags or flag in own]


def osd_row(dump: Dict[str, Any], number: int) -> Optional[Dict[str, Any]]:
    """Return an OSD of `ceph osd dump`; None if there is none."""
    for row in dump.get("osds") or []:
        if row.get("osd") == number:
            return dict(row)
    return None


def fill_reason(usage: Dict[str, Any], number: int) -> str:
    """Return why the other OSDs have no space for the data of this one, from `ceph osd df`."""
    rows = [row for row in usage.get("nodes") or [] if float(row.get("reweight") or 0) > 0]
    count = len(rows)
    if count < 2:
        return ALONE.format(number)
    fullest = max(float(row.get("utilization") or 0.0) for row in rows)
    after = fullest * count / (count - 1)
    if after < MAX_FILL_PERCENT:
        return ""
    return TOO_FULL.format(number, after, MAX_FILL_PERCENT)


def stop_reason(ceph: MonConnection, number: int) -> str:
    """Return why `ceph osd ok-to-stop` refuses.

    With its error it exits non-zero, also where it writes JSON (ceph#39455). Ceph before 16 writes
    nothing if it agrees.
    """
    response = ceph.send({"prefix": "osd ok-to-stop", "ids": [str(number)], "format": "json"})
    if response.error:
        return UNSAFE.format(number, response.error)
    try:
        agreed = response.json()
    except CephError:
        agreed = None
    refused = isinstance(agreed, dict) and agreed.get("ok_to_stop") is not True
    return UNSAFE.format(number, "ok_to_stop is false") if refused else ""
