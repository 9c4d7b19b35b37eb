"""Stopping rules: add blocks to a running run after its last case has ended.

Apps register their rules with `rule_register` in AppConfig.ready. The worker calls
`next_decision`, which may be slow; `decision_store` writes the decision, its cases and the size of
the run in one fenced transaction. A crash between the two calls is safe to repeat.
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
    """Decision to run more cases (unsaved), with expectations of new workloads."""

    cases: Sequence[Case]
    reason: str = ""
    expectations: Sequence[RunExpectation] = ()


@dataclass(frozen=True)
class Stop:
    """Decision to stop.

    `settling`: blocks in the transition state, which no comparison may use.
    """

    reason: str
    settling: Sequence[int] = ()


class BlockRule(Protocol):
    """Stopping rule; `name` is stored in `RunExtension.rule` (20 characters)."""

    @property
    def name(self) -> str: ...

    def applies(self, run: Run) -> bool:
        """Return True if the run uses the rule, with at most one short query."""

    def decide(self, run: Run) -> Extend | Stop:
        """Return the decision for a run whose cases have all ended."""


@dataclass(frozen=True)
class RuleOutcome:
    """Decisions of the rules: `more` of one rule, or the reasons of all to stop.

    `cases`: number of cases of the run at the time of the decision.
    """

    cases: int
    more: tuple[str, Extend] | None
    enough: Sequence[tuple[str, Stop]]


_RULES: list[BlockRule | str] = []


def rule_register(rule: BlockRule | str) -> None:
    """Register a rule after those registered before.

    A rule given by its path ("apps.x.rule.Rule") is imported on first use.
    """
    if rule not in _RULES:
        _RULES.append(rule)


def rules_load() -> None:
    """Import the rules registered by path, so that the first run does not wait for it."""
    for rule in _RULES:
        _loaded(rule)


def rules_of(run: Run) -> list[BlockRule]:
    """Return the rules of a run in the order of their registration."""
    return [rule for rule in map(_loaded, _RULES) if rule.applies(run)]


def _loaded(rule: BlockRule | str) -> BlockRule:
    return _made(rule) if isinstance(rule, str) else rule


@cache
def _made(path: str) -> BlockRule:
    made: BlockRule = import_string(path)()
    return made


def next_decision(run_id: int) -> RuleOutcome:
    """Return the decision: that of the first rule that adds cases."""
    run = Run.objects.get(pk=run_id)
    enough: list[tuple[str, Stop]] = []
    for rule in rules_of(run):
        decision = rule.decide(run)
        if isinstance(decision, Extend):
            return RuleOutcome(run.case_count, (rule.name, decision), enough)
        enough.append((rule.name, decision))
    return RuleOutcome(run.case_count, None, enough)


def decision_store(run: Run, outcome: RuleOutcome) -> bool:
    """Store a decision; return True if the locked run has new cases.

    A decision that is stored already changes nothing; a cancelled run gets no cases.
    """
    if run.cancel_requested_at is not None:
        return False
    if run.case_count != outcome.cases:
        return True
    if run.cases.filter(state__in=[CaseState.PENDING, CaseState.RUNNING]).exists():
        return False  # a defect, of which the end of the run tells
    block = run.cases.order_by("-block").values_list("block", flat=True).first() or 0
    if outcome.more is None:
        for rule, enough in outcome.enough:
            _decide(run, rule, block, (), enough.reason)
            if enough.settling:
                measuring = run.cases.filter(purpose=Purpose.MEASURE, block__in=enough.settling)
                measuring.update(purpose=Purpose.TRANSITION)
        return False
    rule, more = outcome.more
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
