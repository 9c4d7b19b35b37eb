"""Fields of the parameters of rados bench."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

OPERATIONS = ("write+seq+rand", "write+seq", "write+rand", "write")
# Larger writes are refused by the OSDs (osd_max_write_size, 90 MB).
MAX_BLOCK = 90 * 1024**2
# osd_max_object_size.
MAX_OBJECT = 128 * 1024**2
_DAY = 86_400

FIELDS: Mapping[str, Field] = {
    "operations": Field(
        "choice",
        _("Operations"),
        _(
            "What is measured, one after the other. Reading, in sequence (seq) "
            "or at random (rand), "
            "reads what this test has written, so every test writes first."
        ),
        choices=OPERATIONS,
        role="operation",
    ),
    "bs": Field(
        "size",
        _("Block size"),
        _("Bytes per operation (-b). An erasure coded pool rounds it up to a whole stripe."),
        minimum=1,
        maximum=MAX_BLOCK,
        unit=_("bytes"),
        role="block",
    ),
    "threads": Field(
        "int",
        _("Operations in flight"),
        _("How many operations a client host keeps in flight (-t)."),
        minimum=1,
        maximum=4096,
        role="depth",
    ),
    "seconds": Field(
        "duration",
        _("Duration"),
        _(
            "How long each operation is measured. Reading in sequence ends earlier when everything "
            "that was written has been read."
        ),
        minimum=1,
        maximum=_DAY,
        unit="s",
        role="time",
    ),
    "write_seconds": Field(
        "duration",
        _("Duration of writing"),
        _(
            "How long is written, where that is not as long as reading: longer, so that reading in "
            "sequence does not run out of objects."
        ),
        minimum=1,
        maximum=_DAY,
        unit="s",
        optional=True,
        group=_("More"),
    ),
    "object_size": Field(
        "size",
        _("Object size"),
        _("Bytes per object (-O), a multiple of the block size. Empty: one block is one object."),
        minimum=1,
        maximum=MAX_OBJECT,
        unit=_("bytes"),
        optional=True,
        group=_("More"),
    ),
    "max_objects": Field(
        "int",
        _("Objects, at most"),
        _(
            "Writing ends when so many objects are written, also before its "
            "time. Empty: only the time "
            "ends it."
        ),
        minimum=1,
        maximum=1_000_000_000,
        optional=True,
        group=_("More"),
    ),
    "verify": Field(
        "flag",
        _("Verify what is read"),
        _(
            "Compare what is read with what was written. It costs the client's "
            "processor; without it "
            "(--no-verify) fast clusters show more."
        ),
        group=_("More"),
    ),
    "hints": Field(
        "flag",
        _("Allocation hints"),
        _("Tell the OSDs how large objects will become. Without (--no-hints) they are not told."),
        group=_("More"),
    ),
}
