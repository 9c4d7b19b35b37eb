"""The judgement of an attempt on several hosts: the host to blame is named, a server's end is
normal, and why benchlab ended it is told.
"""

from __future__ import annotations

import json

import pytest

from apps.accounts.models import User
from apps.execution.domain.outcome import AttemptOutcome
from apps.execution.services.outcomes import evaluate
from apps.execution.tests.several import JobFields, create_attempt, create_case
from apps.execution.tests.test_outcome import DOCUMENT, SIDE
from apps.results.models import Measurement
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt, AttemptState, Case
from apps.runs.schemas import EarlyEnd
from apps.runs.services.artifacts import artifact_of
from apps.tools.messages import as_message

CODE = {"codes": [1], "signals": [None]}
KILLED = {"codes": [None], "signals": ["SIGKILL"]}
ENDED = {"codes": [None], "signals": ["SIGTERM"], "cancelled": True}


def document(total_ios: int, iops: float) -> bytes:
    side = SIDE | {"total_ios": total_ios, "iops": iops}
    job = {"jobname": "benchlab", "error": 0, "read": side}
    return json.dumps(DOCUMENT | {"jobs": [job]}, indent=2).encode()


@pytest.fixture
def case(owner: User) -> Case:
    return create_case(owner=owner)


def attempt_of(case: Case, *told: JobFields, stopped: EarlyEnd | None = None) -> Attempt:
    """The told jobs, in order, on the case's hosts; their names are in the case's members."""
    names = [row.host_name for row in case.members]
    jobs: list[JobFields] = [
        {"host_id": host, "name": name, **more}
        for host, name, more in zip(case.host_ids, names, told, strict=True)
    ]
    return create_attempt(case, jobs, stopped=stopped)


def names_of(case: Case) -> list[str]:
    return [row.host_name for row in case.members]


def files_of(case: Case) -> dict[str, bytes]:
    one, two = names_of(case)
    return {
        f"{one}/result.json": document(100, 10.0),
        f"{two}/result.json": document(300, 30.0),
        f"{two}/stderr": b"fio: file not found\n",
    }


def judged(case: Case, *told: JobFields, stopped: EarlyEnd | None = None) -> AttemptOutcome:
    return evaluate(attempt_of(case, *told, stopped=stopped), files_of(case))


def started(moment: float) -> JobFields:
    """A job that started at this second of its host's clock, which is the worker's."""
    exit_ = {"codes": [0], "signals": [None], "started": {"monotonic": moment}}
    return {"exit": exit_, "clock_offset": 0.0, "clock_uncertainty": 0.001}


def test_two_good_hosts_are_a_result(case: Case) -> None:
    outcome = judged(case, started(5.0), started(5.01))
    assert (outcome.state, outcome.invalid) == (AttemptState.SUCCEEDED, "")
    assert outcome.parsed is not None
    assert [m.component for m in outcome.parsed.measurements] == ["", *names_of(case)]
    assert outcome.warnings == ()


def test_start_skew_gives_a_warning(case: Case) -> None:
    outcome = judged(case, started(5.0), started(5.08))
    assert outcome.state == AttemptState.SUCCEEDED
    assert f"{names_of(case)[1]} started 80 ms after the first host" in outcome.warnings


@pytest.mark.parametrize(
    ("told", "state", "words"),
    [
        ({"exit": CODE}, "failed", "exit code 1; its output: fio: file not found"),
        ({"exit": KILLED}, "failed", "killed by signal SIGKILL"),
        ({"state": "refused", "exit": {}, "refusal": {"reasons": ["Ext4."]}}, "failed", "Ext4."),
        ({"state": "lost", "exit": {}}, "lost", "can never finish"),
        ({"exit": {"codes": [], "error": "Traceback"}}, "failed", "the agent failed"),
    ],
)
def test_the_host_to_blame_is_named_and_the_other_is_not(
    case: Case, told: JobFields, state: str, words: str
) -> None:
    stopped = EarlyEnd(state, failure_cause="host", host=case.host_ids[1])
    outcome = judged(case, {"exit": ENDED}, told, stopped=stopped)
    one, two = names_of(case)
    assert outcome.state == state
    assert outcome.reason.startswith(f"{two}: ")
    assert words in outcome.reason
    assert one not in outcome.reason


def test_a_lost_host_makes_it_lost_whatever_the_other_says(case: Case) -> None:
    outcome = judged(case, {"exit": CODE}, {"state": "lost", "exit": {}})
    assert outcome.state == AttemptState.LOST
    assert all(name in outcome.reason for name in names_of(case))


def test_who_says_why_it_failed_comes_before_who_only_failed(case: Case) -> None:
    one, two = names_of(case)
    reason = judged(case, {"exit": CODE}, {"exit": CODE}).reason
    assert reason.startswith(
        f"{two}: the tool ended with exit code 1; its output: fio: file not found; {one}: the tool"
    )


def test_a_servers_end_is_no_failure(case: Case) -> None:
    server = {"commands": [{"role": "server", "argv": ["serve"], "listens": "tcp:5201"}]}
    outcome = judged(case, {}, {"exit": ENDED, "role": "server", "spec": server})
    assert outcome.state == AttemptState.SUCCEEDED


def test_reason_contains_why_benchlab_stopped_it(case: Case) -> None:
    sentence = f"nothing listens on TCP port 5201 of {names_of(case)[1]} after 10 s"
    server = {"commands": [{"role": "server", "argv": ["serve"], "listens": "tcp:5201"}]}
    stopped = EarlyEnd("failed", as_message(sentence), "host", case.host_ids[1])
    told: JobFields = {"exit": ENDED, "role": "server", "spec": server}
    outcome = judged(case, {"exit": ENDED}, told, stopped=stopped)
    assert outcome.reason == f"{sentence}; its output: fio: file not found"
    assert outcome.failure_cause == "host"


def test_a_cancelled_run_is_cancelled_on_all_hosts(case: Case) -> None:
    stopped = EarlyEnd("cancelled", host=0)
    outcome = judged(case, {"exit": ENDED}, {"exit": ENDED}, stopped=stopped)
    assert outcome.state == AttemptState.CANCELLED


def test_what_may_fail_and_what_tidies_up_is_no_failure(case: Case) -> None:
    commands = [
        {"role": "facts", "argv": ["ask"], "may_fail": True},
        {"role": "main", "argv": ["fio"]},
        {"role": "tidy", "argv": ["tidy"], "always": True},
    ]
    exit_ = {"ran": [0, 1, 2], "codes": [2, 0, 1], "signals": [None] * 3}
    outcome = judged(case, {"exit": exit_, "spec": {"commands": commands}}, {})
    assert outcome.state == AttemptState.SUCCEEDED
    assert f"{names_of(case)[0]}: tidying up (tidy) did not work" in outcome.warnings


def test_codes_belong_to_the_commands_that_ran(case: Case) -> None:
    """The second command was skipped, as the first failed; the third is always run."""
    commands = [
        {"role": "make", "argv": ["make"]},
        {"role": "main", "argv": ["fio"]},
        {"role": "tidy", "argv": ["tidy"], "always": True},
    ]
    exit_ = {"ran": [0, 2], "codes": [5, 0], "signals": [None] * 2}
    outcome = judged(case, {"exit": exit_, "spec": {"commands": commands}}, {})
    assert outcome.reason.startswith(f"{names_of(case)[0]}: the tool ended with exit code 5")


def test_one_of_several_disks_that_is_another_one_makes_it_invalid(case: Case) -> None:
    targets = [{"kind": "disk", "identity": name, "write": False} for name in ("a", "b")]
    spec = {"targets": targets, "commands": [{"role": "main", "argv": ["fio"]}]}
    good = {"codes": [0], "signals": [None], "identity_after": ["a", "b"]}
    assert judged(case, {"spec": spec, "exit": good}, {}).invalid == ""
    other = good | {"identity_after": ["a", "x"]}
    assert "another one" in judged(case, {"spec": spec, "exit": other}, {}).invalid


def test_reading_again_gives_the_same_whole_and_parts(case: Case) -> None:
    one, two = names_of(case)
    attempt = attempt_of(case, started(5.0), started(5.0))
    for name, content in files_of(case).items():
        artifact_of(attempt, name, content).save()
    stored = Measurement.objects.in_bulk(attempt_reparse(attempt=attempt)).values()
    rows = {row.component: row for row in stored}
    assert {component: row.iops for component, row in rows.items()} == {
        "": 40.0,
        one: 10.0,
        two: 30.0,
    }
    assert rows[""].values["total_ios"] == 400
