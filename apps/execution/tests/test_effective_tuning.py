"""A result is filed under the tuning that was in force, whatever it was planned under."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apps.accounts.models import User
from apps.execution.domain.effective_tuning import effective_tuning
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.services.attempt_end import attempt_end
from apps.execution.services.outcomes import evaluate
from apps.execution.tests.test_outcome import GOOD_EXIT, GOOD_FILES
from apps.results.selectors.jobs import DoneJob
from apps.runs.models import Attempt, AttemptState, Case, RunTuning
from apps.runs.tests.factories import (
    create_attempt,
    create_host,
    create_job,
    create_run,
    tuning_of,
)
from apps.tuning.schemas.settings import Setting
from tests.harness.documents import Document

KYBER = Setting("queue", "scheduler", "kyber")
SWAP = Setting("sysctl", "vm.swappiness", "1")
PIN = Setting("cpu", "pin_to_hardware_queues", "split")
LENT = {"kind": "queue", "identity": "directory:/srv", "name": "scheduler", "value": "kyber"}
ON_HOST = {"kind": "sysctl", "identity": "", "name": "vm.swappiness", "value": "1"}
APPLIED = {"kind": "queue", "identity": "loop:a", "name": "scheduler", "value": "kyber"}
COMMAND = {"role": "main", "argv": ["fio"]}


def ended(
    owner: User, settings: tuple[Setting, ...], lent: list[Any], tuning: Document, **more: Any
) -> Attempt:
    """An attempt under a tuning, with what its host was asked to lend and what it said of that."""
    run = create_run(owner=owner)
    case: Case = run.cases.get()
    case.run_tuning = tuning_of(run, "fast", settings)
    case.run_tuning.refresh_from_db()
    case.save()
    exit_ = dict(GOOD_EXIT) | {"tuning": tuning} | more.pop("exit", {})
    spec = {"commands": [COMMAND], "tuning": lent} | more
    return create_attempt(case, state="running", exit=exit_, spec=spec)


def force(attempt: Attempt) -> tuple[int, int, str]:
    jobs = [DoneJob.of(row) for row in attempt.jobs.select_related("host")]
    found = effective_tuning(attempt.case.tuning_to_apply.settings, jobs)
    return found.requested, found.applied, found.why


def test_a_setting_of_a_directory_is_in_force_on_the_disk_below(owner: User) -> None:
    attempt = ended(owner, (KYBER,), [LENT], {"applied": [APPLIED]})
    assert force(attempt) == (1, 1, "")


def test_what_an_agent_of_before_named_by_its_name_alone(owner: User) -> None:
    lent = LENT | {"identity": "loop:a"}
    attempt = ended(owner, (KYBER,), [lent], {"applied": [{"name": "scheduler", "value": "kyber"}]})
    assert force(attempt) == (1, 1, "")


def test_interrupts_are_in_force_where_each_was_moved(owner: User) -> None:
    asked = Setting("irq", "irq:eth0*", "spread")
    lent = {"kind": "irq", "identity": "", "name": "irq:eth0*", "value": "spread"}
    told = {"kind": "irq", "identity": "irq 40 (eth0-rx-0)", "name": "irq:eth0*", "value": "0"}
    assert force(ended(owner, (asked,), [lent], {"applied": [told]})) == (1, 1, "")


def test_setting_without_a_request_is_not_in_effect(owner: User) -> None:
    assert force(ended(owner, (KYBER,), [], {}))[:2] == (1, 0)
    assert force(ended(owner, (PIN,), [], {}, exit={"cpus": []}))[:2] == (1, 0)


def test_pinned_threads_are_in_force_where_cpus_were_chosen(owner: User) -> None:
    pinned = ended(owner, (PIN,), [], {}, pin={"threads": 2}, exit={"cpus": [["0", "1"]]})
    assert force(pinned)[:2] == (1, 1)


def test_the_hosts_reason_is_the_remark(owner: User) -> None:
    why = "Tuning: /srv lies on tmpfs, below which this host shows no disk."
    attempt = ended(owner, (KYBER, SWAP), [LENT, ON_HOST], {"applied": [], "unavailable": [why]})
    outcome = evaluate(attempt, GOOD_FILES)
    assert (outcome.state, outcome.invalid, outcome.is_untuned) == ("succeeded", "", True)
    assert outcome.warnings[-1] == (
        "ran untuned: fast was not in effect, as /srv lies on tmpfs, below which this host shows "
        "no disk"
    )


def test_half_a_tuning_is_compared_with_nothing(owner: User) -> None:
    attempt = ended(owner, (KYBER,), [LENT], {"applied": [APPLIED]})
    other = {"commands": [COMMAND], "tuning": [LENT], "attempt": "x"}
    left_out = {"unavailable": ["Tuning: no disk."]}
    said = dict(GOOD_EXIT) | {"tuning": left_out}
    create_job(attempt, spec=other, host_id=create_host().pk, exit=said, name="b", role="server")
    outcome = evaluate(attempt, GOOD_FILES)
    assert outcome.invalid == (
        "fast was only partly effective (1 of 2 values), as b: Tuning: no disk"
    )


@pytest.mark.parametrize("again", [False, True])
def test_the_case_is_filed_is_untuned_and_a_later_attempt_under_its_tuning(
    owner: User, again: bool
) -> None:
    attempt = ended(owner, (KYBER,), [], {})
    case, run = attempt.case, attempt.case.run
    planned = case.run_tuning
    found = AttemptOutcome(AttemptState.SUCCEEDED, is_untuned=True)
    attempt.state = AttemptState.PARSING
    attempt.save()
    attempt_end(run, attempt, found)
    case = Case.objects.get(pk=case.pk)
    assert (case.tuning_name, case.tuning_settings, case.tuning_id) == ("Host defaults", (), None)
    assert case.tuning_to_apply == case.requested_tuning == planned
    if again:
        Case.objects.filter(pk=case.pk).update(state="running")
        second = create_attempt(Case.objects.get(pk=case.pk), state="running", number=2)
        second.state = AttemptState.PARSING
        second.save()
        attempt_end(run, second, replace(found, is_untuned=False))
        case = Case.objects.get(pk=case.pk)
        assert (case.run_tuning, case.requested_tuning) == (planned, None)
    assert RunTuning.objects.filter(run=run, name="Host defaults").count() == 1
