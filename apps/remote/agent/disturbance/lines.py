"""What a job does for its disturbance before the load: journal lines, and the checks."""

import time
from typing import Callable, List, Optional

from ..ceph.ceph_cli import CephError
from ..ceph.mon_connection import local_cluster
from ..errors import RefusalError
from ..schema import Disturbance, JournalSetting, Spec
from ..tuning.md_settings import ArraySource, member_line
from ..tuning.osd_settings import osd_weight, process_line, weight_line
from .checks import (
    NO_ANSWER,
    NO_OSD,
    identity_reason,
    require_sound_array,
    require_undisturbed,
)
from .request import MD_FAIL, OSD_OUT, OSD_STOP


def journal_lines(spec: Spec) -> List[JournalSetting]:
    """Return the lines of what the disturbance will change. Raises: RefusalError."""
    wanted: Optional[Disturbance] = spec["disturbance"]
    if wanted and wanted["kind"] == MD_FAIL:
        try:
            return [member_line(wanted, spec["targets"])]
        except OSError as error:
            raise RefusalError([NO_ANSWER.format(error.strerror)]) from None
    if wanted is None or wanted["kind"] not in (OSD_OUT, OSD_STOP):
        return []
    if wanted["kind"] == OSD_STOP:
        return [process_line(wanted)]
    try:
        with local_cluster() as ceph:
            reason = identity_reason(ceph, wanted)
            weight = osd_weight(ceph.query("osd dump") or {}, wanted["osd"])
    except CephError as error:
        raise RefusalError([NO_ANSWER.format(error)]) from None
    if reason or weight is None:
        raise RefusalError([reason or NO_OSD.format(wanted["osd"])])
    return [weight_line(wanted["fsid"], wanted["osd"], weight)]


def require_undisturbed_now(
    wanted: Disturbance, lines: List[JournalSetting], sleep: Callable[[float], None]
) -> None:
    """Wait for a clean cluster or array and check it. Raises: RefusalError."""
    if wanted["kind"] == MD_FAIL:
        require_sound_array(ArraySource(lines[0]), wanted, sleep, time.monotonic)
        return
    with local_cluster() as ceph:
        require_undisturbed(ceph, wanted, sleep, time.monotonic)
