"""The timeline of a disturbance: what is done when, from one sample a second.

It has no clock and no connection: `step` gets the seconds since the load began.

`osd_out`: before, out, clean again, in, clean again, after.
`osd_stop`: before, stop, down, start, clean again, after.
`deep_scrub`: before, scrub, all scrubbed, after.
`md_fail`: as `osd_stop`, with a member that is removed and added.
"""

from typing import Callable, Dict, Optional

from ..schema import ClusterSample, Disturbance
from .cluster_state import inactive, is_clean, is_passing
from .request import DEEP_SCRUB, MD_FAIL, OSD_OUT

# Without any sign of a recovery for so long there was none, or it was faster than a sample.
UNSEEN_SECONDS = 20.0
CLEAN_SAMPLES = 3  # consecutive, since placement groups report with a delay
PASSING_SECONDS = 15.0  # a placement group may be without a primary for so long
DISTURB, RESTORE, DONE, ABORT = "disturb", "restore", "done", "abort"
CLEAN_MARK, RETURNED_MARK = "clean", "returned"
INACTIVE = "placement groups are inactive ({})"
LOST = "the array is not active, or lost another member"
LATE = "not clean {:.0f} seconds after the disturbance"


class Timeline:
    """Decides the next act. `marks`: second of each event; `unseen`: no recovery was seen."""

    def __init__(self, wanted: Disturbance, is_scrubbed: Callable[[], bool]) -> None:
        self.wanted = wanted
        self.is_scrubbed = is_scrubbed
        self.marks: Dict[str, float] = {}
        self.unseen = False
        self.reason = ""
        self.step_name = "before"
        self.since = 0.0
        self.was_unclean = False
        self.clean_count = 0
        self.clean_since = 0.0
        self.inactive_since: Optional[float] = None

    def step(self, t: float, sample: ClusterSample) -> str:
        """Return the act that is due: "", disturb, restore, done or abort (with `reason`)."""
        if self.step_name != "before" and self.is_inactive(t, sample):
            return ABORT
        if self.step_name in ("disturbed", "returning"):
            return self.await_clean(t, sample)
        if self.step_name == "before" and t >= self.wanted["before"]:
            return DISTURB
        if self.step_name == "down" and t - self.since >= self.wanted["down"]:
            return RESTORE
        if self.step_name == "clean" and t - self.since >= self.wanted["after"]:
            return RESTORE
        if self.step_name == "after" and t - self.since >= self.wanted["after"]:
            return DONE
        return ""

    def done(self, act: str, t: float) -> None:
        """Continue after an act that was carried out at `t`."""
        self.since, self.was_unclean, self.clean_count = t, False, 0
        kind = self.wanted["kind"]
        if act == DISTURB:
            self.marks["disturbed"] = t
            self.step_name = "disturbed" if kind in (OSD_OUT, DEEP_SCRUB) else "down"
        elif act == RESTORE:
            self.marks["restored"] = t
            self.step_name = "returning" if kind == OSD_OUT else "disturbed"

    def await_clean(self, t: float, sample: ClusterSample) -> str:
        """Wait for the end of a recovery or a scrub."""
        clean = is_clean(sample)
        self.was_unclean |= not clean
        if clean and self.clean_count == 0:
            self.clean_since = t
        self.clean_count = self.clean_count + 1 if clean else 0
        over = self.is_over(t)
        if not over:
            if t - self.since > self.wanted["timeout"]:
                self.reason = LATE.format(t - self.since)
                return ABORT
            return ""
        self.unseen |= not self.was_unclean and self.wanted["kind"] != DEEP_SCRUB
        at = self.clean_since if self.wanted["kind"] != DEEP_SCRUB else t
        first = self.step_name == "disturbed"
        self.marks[CLEAN_MARK if first else RETURNED_MARK] = at
        self.since = at
        self.step_name = "clean" if first and self.wanted["kind"] == OSD_OUT else "after"
        return ""

    def is_over(self, t: float) -> bool:
        """Return True once the recovery or the scrub has ended."""
        if self.wanted["kind"] == DEEP_SCRUB:
            return self.is_scrubbed()
        if self.was_unclean:
            return self.clean_count >= CLEAN_SAMPLES
        return self.clean_count > 0 and t - self.since > UNSEEN_SECONDS

    def is_inactive(self, t: float, sample: ClusterSample) -> bool:
        """Return True if clients wait for placement groups, and not for a moment only."""
        states = inactive(sample)
        lost = [state for state in states if not is_passing(state)]
        if not states:
            self.inactive_since = None
            return False
        if self.inactive_since is None:
            self.inactive_since = t
        if not lost and t - self.inactive_since <= PASSING_SECONDS:
            return False
        words = sorted(lost or states)
        self.reason = INACTIVE.format(", ".join(words[:3]))
        if self.wanted["kind"] == MD_FAIL:
            self.reason = LOST
        return True
