"""Fingerprints of disks in the specification of a job."""

from __future__ import annotations

import logging

from apps.inventory.domain.fingerprints import unknown_content
from apps.remote.job_spec import JobSpec, targets_of

log = logging.getLogger(__name__)


def mark_unknown(spec: JobSpec) -> None:
    """Replace the fingerprints of a later job of a host: an earlier one may have written."""
    for target in targets_of(spec):
        if target["kind"] == "disk":
            target["fingerprint"] = unknown_content(target.get("fingerprint"), target["size"] or 0)
