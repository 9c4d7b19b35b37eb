"""Sentences of a gate's rows, and of the whole gate."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.gate.decisions import GateState, Reason
from apps.analysis.gate.result import GateResult
from apps.analysis.gate.rows import GateRow
from apps.analysis.verdicts.verdict_text import SHORT, VerdictText
from apps.common.domain.value_format import format_metric
from apps.tools.metrics import METRICS


def row_sentence(row: GateRow, texts: VerdictText) -> str:
    """Return the decision on a row as a sentence: "Failed: IOPS −10.1 % (−10.3 to −9.8), ..."."""
    if row.state is GateState.NOT_COMPARABLE:
        text = _("Not comparable: these differ as well: {factors}.")
        return text.format(factors=", ".join(row.differing))
    if row.state is GateState.NO_RESULT:
        return _no_result(row)
    if row.state is GateState.UNDECIDED:
        return " ".join([_undecided(row, texts), _more(row)])
    text = {
        GateState.FAILED: _("Failed: {figures}; at most {limit} is allowed."),
        GateState.PASSED: _("Passed: {figures}; at most {limit} is allowed."),
    }[row.state]
    sentence = text.format(figures=_figures(row, texts), limit=limit_text(row))
    return f"{sentence} {_lost(row)}" if row.lost else sentence


def limit_text(row: GateRow) -> str:
    """Return a limit: "5 % less", "10 % more"."""
    better = METRICS[row.metric].higher_is_better
    text = _("{percent} % less") if better else _("{percent} % more")
    return text.format(percent=f"{row.percent:g}")


def gate_sentence(gate: GateResult) -> str:
    """Return the state of the gate as a sentence."""
    counts = {state: gate.counts.get(state, 0) for state in GateState}
    total = len(gate.rows)
    number = counts[gate.state]
    text = {
        GateState.FAILED: ngettext(
            "Failed: {n} of {total} limit.",
            "Failed: {n} of {total} limits.", total,
        ),
        GateState.NO_RESULT: ngettext(
            "No result for {n} of {total} limit.", "No result for {n} of {total} limits.", total
        ),
        GateState.NOT_COMPARABLE: ngettext(
            "Not comparable: {n} of {total} limit.", "Not comparable: {n} of {total} limits.", total
        ),
        GateState.UNDECIDED: ngettext(
            "Undecided: {n} of {total} limit.", "Undecided: {n} of {total} limits.", total
        ),
        GateState.PASSED: ngettext(
            "Passed: {n} of {total} limit.", "Passed: {n} of {total} limits.", total
        ),
    }[gate.state]  # fmt: skip
    sentence = text.format(n=number, total=total)
    if gate.state is GateState.UNDECIDED and gate.more_repeats is not None:
        return f"{sentence} {_more_text(gate.more_repeats)}"
    return sentence


def median_text(row: GateRow, value: float | None) -> str:
    """Return a median with its unit."""
    return format_metric(row.metric, value, network=row.of_network)


def confidence_text(row: GateRow) -> str:
    """Return the confidence of the interval: "95 %", "99.9 %"."""
    return f"{100 * (1 - row.error):.4g} %"


def _figures(row: GateRow, texts: VerdictText) -> str:
    return f"{SHORT[row.metric]} {texts.figures(row.change)}"


def _undecided(row: GateRow, texts: VerdictText) -> str:
    if row.reason is Reason.TOO_FEW:
        text = _("Too few repeats: {n_a} against {n_b} have no interval.")
        return text.format(n_a=row.baseline_n, n_b=row.n)
    if row.reason is Reason.UNBOUNDED:
        return _("Undecided: the ratio has no figure: one side measured zero.")
    if row.reason is Reason.ALONE:
        text = _("Undecided: {figures} would fail alone, but not as one of {limits} limits.")
        return text.format(figures=_figures(row, texts), limits=row.limits)
    text = _("Undecided: {figures}; the limit of {limit} lies inside the interval.")
    return text.format(figures=_figures(row, texts), limit=limit_text(row))


def _more(row: GateRow) -> str:
    if row.reason is Reason.UNBOUNDED:
        return ""
    if row.more is not None:
        return _more_text(row.more)
    if row.fixed_baseline:
        return _("More repeats of this run alone are not likely to decide it.")
    return _("No number of further repeats up to a thousand is likely to decide it.")


def _more_text(number: int) -> str:
    text = ngettext(
        "About {n} more repeat may decide it.", "About {n} more repeats may decide it.", number
    )
    return text.format(n=number)


def _no_result(row: GateRow) -> str:
    if row.lost:
        return _("No result: {lost}.").format(lost=row.lost)
    if row.workload:
        text = _("No result: the workload has no value of {metric}.")
        return text.format(metric=SHORT[row.metric])
    text = _("No result: no workload has a value of {metric}.")
    return text.format(metric=SHORT[row.metric])


def _lost(row: GateRow) -> str:
    return _("Besides: {lost}.").format(lost=row.lost)
