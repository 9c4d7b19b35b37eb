"""Fields of the parameters of rbd bench; the terms are those of rbd(8)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.fields import Field
from apps.tools.pools.image_commands import MIB, OBJECT_SIZES
from apps.tools.translation import gettext_noop as _

MODES = ("read", "write", "readwrite")
# Patterns in benchlab's results -> in rbd.
PATTERNS = {"sequential": "seq", "random": "rand", "full sequential": "full-seq"}
_PEBIBYTE = 1024**5

FIELDS: Mapping[str, Field] = {
    "mode": Field(
        "choice",
        _("Access"),
        _("What is done to the image (--io-type); readwrite mixes both."),
        choices=MODES,
        role="operation",
    ),
    "pattern": Field(
        "choice",
        _("Pattern"),
        _(
            "In which order (--io-pattern). sequential: each operation in flight has a part of the "
            "image for itself; full sequential: all of them go through the image together."
        ),
        choices=tuple(PATTERNS),
    ),
    "bs": Field(
        "size",
        _("Block size"),
        _("Bytes per operation (--io-size)."),
        minimum=512,
        maximum=1024**3,
        unit=_("bytes"),
        role="block",
    ),
    "threads": Field(
        "int",
        _("Operations in flight"),
        _("How many operations a client host keeps in flight (--io-threads)."),
        minimum=1,
        maximum=4096,
        role="depth",
    ),
    "size": Field(
        "size",
        _("Bytes in all"),
        _("How much is read or written (--io-total): rbd bench has no run time."),
        minimum=512,
        maximum=_PEBIBYTE,
        unit=_("bytes"),
    ),
    "image_size": Field(
        "size",
        _("Image size"),
        _(
            "The size of the image that each client host makes for the test, whole MiB. A small "
            "one measures caches."
        ),
        minimum=MIB,
        maximum=_PEBIBYTE,
        unit=_("bytes"),
        role="size",
    ),
    "reads": Field(
        "int",
        _("Reads in a mix"),
        _("Share of reads for readwrite (--rw-mix-read)."),
        minimum=0,
        maximum=100,
        unit="%",
    ),
    "fill": Field(
        "flag",
        _("Write the image first"),
        _(
            "Write the whole image once before measuring. What was never written is read from no "
            "disk, and its first write takes longer."
        ),
        group=_("More"),
    ),
    "object_size": Field(
        "size",
        _("Object size"),
        _("Bytes per object of the image, a power of two. Empty: the cluster's default, 4 MiB."),
        minimum=OBJECT_SIZES[0],
        maximum=OBJECT_SIZES[1],
        unit=_("bytes"),
        optional=True,
        group=_("More"),
    ),
}
