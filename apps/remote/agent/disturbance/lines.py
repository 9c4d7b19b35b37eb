"""What a job does for its disturbance before the load: journal lines, and the checks."""

import time
from typing import Callable, List, Optional

from ..ceph.ceph_cli import CephError
from ..ceph.mon_connection import local_cluster
from ..errors import RefusalError
from ..schema import Disturbance, JournalSetting
from ..tuning.osd_settings import osd_weight, process_line, weight_line
from .checks import NO_ANSWER, NO_OSD, identity_reason, require_undisturbed
from .request import OSD_OUT, OSD_STOP


def journal_lines(wanted: Optional[Disturbance]) -> List[JournalSetting]:
    """Return the lines of what the disturbance will change. Raises: RefusalError."""
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


def require_undisturbed_now(wanted: Disturbance, sleep: Callable[[float], None]) -> None:
    """Wait for a clean cluster and check it. Raises: RefusalError."""
    with local_cluster() as ceph:
        require_undisturbed(ceph, wanted, sleep, time.monotonic)
