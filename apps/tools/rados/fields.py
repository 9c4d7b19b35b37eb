"""Fields of the parameters of rados bench."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

OPERATIONS = (
    *("write+seq+rand", "write+seq", "write+rand", "write"),
    *("seq+rand", "seq", "rand"),
)
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
            "What is measured, one after the other. Reading, in sequence (seq) or random (rand), "
            "reads the objects of the write before it, or stored objects (see Stored objects)."
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
    "read_threads": Field(
        "int",
        _("Reads in flight"),
        _("Operations in flight while reading (-t of seq and rand). Empty: as while writing."),
        minimum=1,
        maximum=4096,
        optional=True,
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
    "stored": Field(
        "name",
        _("Stored objects"),
        _(
            "Name of objects that stay in the pool after the test. A test that writes stores its "
            "objects under this name; a test that only reads uses them, on the same hosts. They "
            "stay until a test removes them."
        ),
        optional=True,
        group=_("More"),
    ),
    "remove_stored": Field(
        "flag",
        _("Remove stored objects"),
        _("Remove the stored objects of this name at the end of a test that only reads."),
        group=_("More"),
    ),
    "run_name": Field(
        "text",
        _("Run name"),
        _(
            "Read the objects that somebody's rados bench left in the pool: its --run-name, or "
            "benchmark_last_metadata without one. They are never removed."
        ),
        pattern=r"[A-Za-z0-9_.-]{1,64}",
        example="benchmark_last_metadata",
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
        _("Send the OSDs the expected size of objects. Without (--no-hints) it is not sent."),
        group=_("More"),
    ),
}
