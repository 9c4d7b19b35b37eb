"""Parameters of rados bench in a plan. The options are those of rados(8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.plugin_params import PluginParams
from apps.tools.translation import gettext_noop as _
from apps.tools.values import Parameters
from apps.tools.workload_naming import operation_part, size_part, times

from .fields import FIELDS


@dataclass(frozen=True)
class RadosParams(PluginParams):
    """Parameters of one test: a write, then reads of its objects; or reads of stored objects.

    Sizes in bytes, durations in seconds; None means "not set".
    """

    table: ClassVar[Mapping[str, Field]] = FIELDS
    later: ClassVar[Parameters] = {
        "read_threads": None,
        "stored": None,
        "remove_stored": False,
        "run_name": None,
    }

    operations: str = "write+seq+rand"
    bs: int = 4 * 1024**2
    threads: int = 16
    read_threads: int | None = None
    seconds: int = 60
    write_seconds: int | None = None
    object_size: int | None = None
    max_objects: int | None = None
    stored: str | None = None
    remove_stored: bool = False
    run_name: str | None = None
    verify: bool = True
    hints: bool = True

    @property
    def steps(self) -> tuple[str, ...]:
        """Return the operations in order."""
        return tuple(self.operations.split("+"))

    @property
    def writes(self) -> bool:
        """Return True if the test writes the objects that it reads."""
        return self.steps[0] == "write"

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label, such as "write+seq 4 MiB x16, reads x8"."""
        whole = known.get("object_size") in (None, known.get("bs"))
        return (
            *operation_part(known, {}, "operations"),
            *size_part(known, "bs", close=True),
            *times(known, "threads"),
            *(() if whole else size_part(known, "object_size", _("objects of %(size)s"))),
            *_read_threads_part(known),
            *_stored_part(known),
        )

    def lasts(self, operation: str) -> int:
        """Return the requested duration of an operation in seconds."""
        return (self.write_seconds or self.seconds) if operation == "write" else self.seconds

    def threads_of(self, operation: str) -> int:
        """Return the operations in flight during an operation."""
        return self.threads if operation == "write" else self.read_threads or self.threads

    def contradictions(self) -> dict[str, str]:
        """Return parameters that contradict each other: name -> sentence."""
        errors = self._write_errors() if self.writes else self._read_errors()
        if self.object_size is not None and self.object_size % self.bs:
            errors["object_size"] = message(
                "The object size must be a multiple of the block size (bs)."
            )
        return errors

    def _write_errors(self) -> dict[str, str]:
        errors: dict[str, str] = {}
        if self.operations == "write":
            if self.write_seconds is not None:
                errors["write_seconds"] = message(
                    "A test that only writes takes its time from seconds."
                )
            if self.read_threads is not None:
                errors["read_threads"] = message("A test that only writes has no reads in flight.")
            if not self.verify:
                errors["verify"] = message("A test that only writes has nothing to verify.")
        if self.run_name is not None:
            errors["run_name"] = message("Objects of others are only read: choose seq or rand.")
        if self.remove_stored:
            errors["remove_stored"] = message(
                "A test that writes keeps the objects: remove them in a later test that reads."
            )
        return errors

    def _read_errors(self) -> dict[str, str]:
        errors: dict[str, str] = {}
        if (self.stored is None) == (self.run_name is None):
            errors["stored"] = message(
                "A test that only reads needs stored objects or the name of a run, not both."
            )
        if self.remove_stored and self.stored is None:
            errors["remove_stored"] = message("Only stored objects of benchlab are removed.")
        if self.read_threads is not None:
            errors["read_threads"] = message(
                "A test that only reads takes its operations in flight from threads."
            )
        for name in ("write_seconds", "max_objects"):
            if getattr(self, name) is not None:
                errors[name] = message("A test that only reads writes nothing.")
        return errors


def _read_threads_part(known: Parameters) -> tuple[Part, ...]:
    threads = known.get("read_threads")
    if threads is None or threads == known.get("threads"):
        return ()
    return (Part("read_threads", threads, message("reads x%(count)s", count=threads)),)


def _stored_part(known: Parameters) -> tuple[Part, ...]:
    """Return the remark that a test reads the objects of an earlier one."""
    if str(known.get("operations", "")).startswith("write"):
        return ()
    name = next((name for name in ("stored", "run_name") if known.get(name)), None)
    return () if name is None else (Part(name, known[name], message("stored objects")),)
