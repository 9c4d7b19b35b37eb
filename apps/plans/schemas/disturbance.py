"""A disturbance of a Ceph cluster or an md array during each test, stored with plan and runs."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from django.utils.translation import gettext
from msgspec import Meta

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

DisturbanceKind = Literal["", "osd_out", "osd_stop", "deep_scrub", "md_fail"]
OSD_OUT: DisturbanceKind = "osd_out"
OSD_STOP: DisturbanceKind = "osd_stop"
DEEP_SCRUB: DisturbanceKind = "deep_scrub"
MD_FAIL: DisturbanceKind = "md_fail"
STOPPING = (OSD_STOP, MD_FAIL)
"""Kinds after which something is down for some seconds, and comes back then."""
MAX_MEMBER_LENGTH = 120  # it is part of the label of a workload

KIND = Field(
    "choice",
    _("Disturbance"),
    choices=get_args(DisturbanceKind),
    labels=(
        _("none"),
        _("an OSD is marked out, and in again when the cluster is clean"),
        _("an OSD stops, and starts again"),
        _("deep scrub of the pool"),
        _("a disk of an md array fails, and is added again (not proven on hardware)"),
    ),
    optional=True,
)
OSD = Field("int", _("Number of the OSD"), optional=True)
MEMBER = Field(
    "text",
    _("Identity of the disk that fails"),
    _("A whole, enrolled disk of the md array below the target. A rebuild overwrites it."),
    optional=True,
)
BEFORE = Field("int", _("Seconds of load before it"), optional=True)
DOWN = Field("int", _("Seconds that a stopped OSD or a failed disk is away"), optional=True)
AFTER = Field("int", _("Seconds of load after the cluster or array is clean"), optional=True)
TIMEOUT = Field(
    "int",
    _("Seconds until the cluster or array must be clean"),
    _("Later the disturbance ends, and the result is invalid."),
    optional=True,
)


class Disturbance(msgspec.Struct, frozen=True):
    """What happens to cluster or array while the load of each test runs; false without a kind."""

    kind: Annotated[DisturbanceKind, KIND] = ""
    osd: Annotated[int, Meta(ge=0, le=100_000), OSD] = 0
    before_seconds: Annotated[int, Meta(ge=1, le=3600), BEFORE] = 60
    down_seconds: Annotated[int, Meta(ge=1, le=3600), DOWN] = 60
    after_seconds: Annotated[int, Meta(ge=1, le=3600), AFTER] = 60
    timeout_seconds: Annotated[int, Meta(ge=30, le=86_400), TIMEOUT] = 3600
    member: Annotated[str, Meta(max_length=MAX_MEMBER_LENGTH), MEMBER] = ""

    def __bool__(self) -> bool:
        return bool(self.kind)

    @property
    def needs_osd(self) -> bool:
        """Return True if it is about one OSD."""
        return self.kind in (OSD_OUT, OSD_STOP)

    @property
    def min_load_seconds(self) -> int:
        """Return the seconds of load around recoveries of no length."""
        down = self.down_seconds if self.kind in STOPPING else 0
        after = 2 * self.after_seconds if self.kind == OSD_OUT else self.after_seconds
        return self.before_seconds + down + after

    @property
    def text(self) -> str:
        """Return it as a parameter of a workload: equal for equal disturbances, in English."""
        act = {
            "": "",
            OSD_OUT: f"osd.{self.osd} out",
            OSD_STOP: f"osd.{self.osd} stopped for {self.down_seconds} s",
            DEEP_SCRUB: "deep scrub",
            MD_FAIL: f"md member {self.member} failed for {self.down_seconds} s",
        }[self.kind]
        times = f"{self.before_seconds} s before, {self.after_seconds} s after"
        return f"{act}, {times}" if act else ""

    @property
    def label(self) -> str:
        """Return what happens, in the reader's language."""
        if self.kind == OSD_OUT:
            return gettext("osd.%(osd)d is marked out") % {"osd": self.osd}
        if self.kind == OSD_STOP:
            return gettext("osd.%(osd)d stops") % {"osd": self.osd}
        if self.kind == MD_FAIL:
            return gettext("disk %(disk)s of an md array fails") % {"disk": self.member}
        return gettext("deep scrub of the pool") if self.kind else ""


NO_DISTURBANCE = Disturbance()
