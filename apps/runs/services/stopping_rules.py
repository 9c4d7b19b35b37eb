"""Blocks that rules add to a run while it runs, each after the last case before it has ended.

The app that knows what a rule reads registers it (`rule_register` in its AppConfig.ready), and the
worker asks: `next_asked` reads and may take its time; `next_stored` writes the answer, its cases
and the run's new size in one transaction of the worker that holds the run. A worker that dies
between the two leaves nothing behind, and the next one asks again; one that dies after it leaves
cases that wait like any others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from django.utils.module_loading import import_string

from apps.runs.models import Case, CaseState, Purpose, Run, RunExpectation, RunExtension
from apps.runs.services.extension_rows import extension_create
from apps.runs.services.runs import event_record
from apps.tools.messages import plural_message


@dataclass(frozen=True)
class Extend:
    """These cases (not saved yet; sequence after the run's last) are to be done, and why;
    `expectations` of what is new among their workloads.
    """

    cases: Sequence[Case]
    reason: str = ""
    expectations: Sequence[RunExpectation] = ()


@dataclass(frozen=True)
class Stop:
    """The rule asks for no more, and why. `settling`: blocks whose figures are no measurements of
    the steady state, so no comparison may use them.
    """

    reason: str
    settling: Sequence[int] = ()


class BlockRule(Protocol):
    """`name` identifies its answers in `RunExtension.rule` (20 letters)."""

    @property
    def name(self) -> str: ...

    def applies(self, run: Run) -> bool:
        """Whether the run goes by it. Asked often: one short query at most."""

    def answer(self, run: Run) -> Extend | Stop:
        """Of a run that it applies to, all of whose cases have ended."""


@dataclass(frozen=True)
class Asked:
    """The rules' answers: `more` by one of them, or every reason why not. `cases`: of the run when
    they were asked.
    """

    cases: int
    more: tuple[str, Extend] | None
    enough: Sequence[tuple[str, Stop]]


_RULES: list[BlockRule | str] = []


def rule_register(rule: BlockRule | str) -> None:
    """Ask this rule from now on, after those registered before it. One that is named by its class
    ("apps.x.rule.Rule") is loaded when a run's rules are first asked for.
    """
    if rule not in _RULES:
        _RULES.append(rule)


def rules_load() -> None:
    """Load what is registered by its name: the first run should not wait for it."""
    for rule in _RULES:
        _loaded(rule)


def rules_of(run: Run) -> list[BlockRule]:
    """The rules that the run goes by, in the order in which they are asked."""
    return [rule for rule in map(_loaded, _RULES) if rule.applies(run)]


def _loaded(rule: BlockRule | str) -> BlockRule:
    return _made(rule) if isinstance(rule, str) else rule


@cache
def _made(path: str) -> BlockRule:
    made: BlockRule = import_string(path)()
    return made


def next_asked(run_id: int) -> Asked:
    """The rules' answer: the first that asks for more is followed."""
    run = Run.objects.get(pk=run_id)
    enough: list[tuple[str, Stop]] = []
    for rule in rules_of(run):
        answer = rule.answer(run)
        if isinstance(answer, Extend):
            return Asked(run.case_count, (rule.name, answer), enough)
        enough.append((rule.name, answer))
    return Asked(run.case_count, None, enough)


def next_stored(run: Run, asked: Asked) -> bool:
    """Whether the run, which the caller holds locked, was given cases. An answer that was stored
    already (the caller did not hear of it) changes nothing; a cancelled run gets no more.
    """
    if run.cancel_requested_at is not None:
        return False
    if run.case_count != asked.cases:
        return True
    if run.cases.filter(state__in=[CaseState.PENDING, CaseState.RUNNING]).exists():
        return False  # a defect, of which the end of the run tells
    block = run.cases.order_by("-block").values_list("block", flat=True).first() or 0
    if asked.more is None:
        for rule, enough in asked.enough:
            _decide(run, rule, block, (), enough.reason)
            if enough.settling:
                measuring = run.cases.filter(purpose=Purpose.MEASURE, block__in=enough.settling)
                measuring.update(purpose=Purpose.TRANSITION)
        return False
    rule, more = asked.more
    RunExpectation.objects.bulk_create(more.expectations, ignore_conflicts=True)
    Case.objects.bulk_create(more.cases, batch_size=2_000)
    _decide(run, rule, max(case.block for case in more.cases), more.cases, more.reason)
    run.case_count += len(more.cases)
    run.expected_seconds += sum(case.expected_seconds for case in more.cases)
    run.save(update_fields=["case_count", "expected_seconds"])
    return True


def _decide(run: Run, rule: str, block: int, cases: Sequence[Case], reason: str) -> None:
    reason = reason or plural_message("%(count)d case added", "%(count)d cases added", len(cases))
    extension_create(
        run,
        RunExtension.Kind.RULE,
        rule=rule,
        first_block=min((case.block for case in cases), default=block),
        last_block=block,
        cases=len(cases),
        reason=reason,
    )
    event_record(run, "rule", reason)
