"""Imported result of the demonstration: fio's output of another machine."""

from __future__ import annotations

from pathlib import Path

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveBudget
from apps.imports.domain.folders import walked
from apps.imports.domain.limits import max_bytes
from apps.imports.services import ImportDraft, import_begin, import_store
from apps.runs.models import Run
from apps.tuning.domain.baseline import HOST_DEFAULTS
from benchlab.ops.demo.lab import DemoFailed

NAME = "Demonstration: measured before"
FILES = Path(__file__).parent / "earlier_results"
NOTE = (
    "fio 3.33 by hand, without benchlab: a loop device over a file, on a virtual machine with two "
    "processors, 23 November 2026."
)


def earlier_run(user: User) -> Run:
    """Return the run of the imported files, created once. Raises: DemoFailed."""
    existing = Run.objects.filter(name=NAME).order_by("pk").first()
    if existing is not None:
        return existing
    draft = ImportDraft(
        name=NAME, note=NOTE, host_name="measured-by-hand", target_name="loop3",
        tuning_name=HOST_DEFAULTS,
    )  # fmt: skip
    result = walked([FILES], max_bytes())
    budget = ArchiveBudget(max_bytes(), in_all=False)
    imported = import_begin(user=user, draft=draft, files=result, budget=budget, at_once=True)
    stored = import_store(imported=imported, user=user, at_once=True)
    if stored.run is None:
        raise DemoFailed(f"The earlier result could not be imported: {stored.reason}")
    return stored.run
