"""A disturbance of the Ceph cluster during each test, stored with a plan and with its runs."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from django.utils.translation import gettext
from msgspec import Meta

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

DisturbanceKind = Literal["", "osd_out", "osd_stop", "deep_scrub"]
OSD_OUT: DisturbanceKind = "osd_out"
OSD_STOP: DisturbanceKind = "osd_stop"
DEEP_SCRUB: DisturbanceKind = "deep_scrub"

KIND = Field(
    "choice",
    _("Disturbance"),
    choices=get_args(DisturbanceKind),
    labels=(
        _("none"),
        _("an OSD is marked out, and in again when the cluster is clean"),
        _("an OSD stops, and starts again"),
        _("deep scrub of the pool"),
    ),
    optional=True,
)
OSD = Field("int", _("Number of the OSD"), optional=True)
BEFORE = Field("int", _("Seconds of load before it"), optional=True)
DOWN = Field("int", _("Seconds that a stopped OSD is down"), optional=True)
AFTER = Field("int", _("Seconds of load after the cluster is clean"), optional=True)
TIMEOUT = Field(
    "int",
    _("Seconds until the cluster must be clean"),
    _("Later the disturbance ends, and the result is invalid."),
    optional=True,
)


class Disturbance(msgspec.Struct, frozen=True):
    """What happens to the cluster while the load of each test runs; false without a kind."""

    kind: Annotated[DisturbanceKind, KIND] = ""
    osd: Annotated[int, Meta(ge=0, le=100_000), OSD] = 0
    before_seconds: Annotated[int, Meta(ge=1, le=3600), BEFORE] = 60
    down_seconds: Annotated[int, Meta(ge=1, le=3600), DOWN] = 60
    after_seconds: Annotated[int, Meta(ge=1, le=3600), AFTER] = 60
    timeout_seconds: Annotated[int, Meta(ge=30, le=86_400), TIMEOUT] = 3600

    def __bool__(self) -> bool:
        return bool(self.kind)

    @property
    def needs_osd(self) -> bool:
        """Return True if it is about one OSD."""
        return self.kind in (OSD_OUT, OSD_STOP)

    @property
    def min_load_seconds(self) -> int:
        """Return the seconds of load around recoveries of no length."""
        down = self.down_seconds if self.kind == OSD_STOP else 0
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
        return gettext("deep scrub of the pool") if self.kind else ""


NO_DISTURBANCE = Disturbance()
