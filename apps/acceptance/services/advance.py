"""Advance open acceptances: after the fill the tests, after the tests the verdicts."""

from __future__ import annotations

import logging

from django.core.exceptions import PermissionDenied
from django.db import transaction

from apps.acceptance.models import Acceptance
from apps.acceptance.selectors.acceptances import acceptances_open, accepted_disks
from apps.acceptance.services.acceptances import acceptance_end, acceptance_measure
from apps.acceptance.services.evidence import evidence_of
from apps.acceptance.services.runs import measure_launch
from apps.accounts.readers import text_for
from apps.common.errors import ServiceError
from apps.runs.models import Run, RunState
from apps.tools.messages import message

log = logging.getLogger(__name__)


def acceptances_advance() -> None:
    """Advance every open acceptance; a failing one does not stop the others."""
    for pk in acceptances_open().values_list("pk", flat=True):
        try:
            acceptance_advance(pk)
        except Exception:
            log.exception("acceptance %s could not be advanced", pk)


def acceptance_advance(pk: int) -> None:
    """Advance one acceptance by one step, if its run has ended.

    A run that cannot be launched now is tried again; the page shows why.
    """
    try:
        _advance(pk)
    except (ServiceError, PermissionDenied) as error:
        Acceptance.objects.filter(pk=pk).update(reason=str(error))


@transaction.atomic
def _advance(pk: int) -> None:
    rows = Acceptance.objects.select_for_update(of=("self",), skip_locked=True)
    acceptance = rows.filter(pk=pk).first()
    if acceptance is None or not acceptance.is_open:
        return
    run = acceptance.current_run
    if run is None:
        acceptance_end(acceptance, cancelled=message("its run was deleted"))
    elif run.state == RunState.CANCELLED:
        acceptance_end(acceptance, cancelled=message("run %(run)d was cancelled", run=run.pk))
    elif run.is_final:
        with text_for(acceptance.owner):
            _next_stage(acceptance)


def _next_stage(acceptance: Acceptance) -> None:
    run: Run | None = None
    if acceptance.state == Acceptance.State.FILLING:
        evidence = {one.disk: one for one in evidence_of(acceptance)}
        rows = [row for row in accepted_disks(acceptance) if evidence[row.disk_id].fill_done]
        run = measure_launch(acceptance, rows) if rows else None
    if run is None:
        acceptance_end(acceptance)
        return
    acceptance_measure(acceptance, run)
