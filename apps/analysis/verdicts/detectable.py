"""Detectable effect of a comparison without a shown difference, and the repeats to detect more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from django.db.models import F, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.repeats.repeats import Repeats
from apps.analysis.verdicts.evaluate import ComparedResult
from apps.common.domain.units import seconds as seconds_text
from apps.common.domain.value_format import format_change
from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.blocks import block_sizes
from apps.runs.models import Attempt, AttemptState, RunTuning
from apps.stats.power import detectable, noise_of, repeats_needed
from apps.tuning.schemas.settings import restarted_kinds

REQUESTED_EFFECT = 0.03
"""Effect to detect unless the query has a minimum."""


@dataclass(frozen=True)
class DetectableEffect:
    """Detectable effect of a level.

    `smallest`: effect (a share) with 95 % power, None if none has; `extra_repeats`: repeats to add
    until `requested` has, None for more than a thousand; `seconds`: their duration.
    """

    smallest: float | None
    requested: float
    extra_repeats: int | None
    seconds: float | None

    @property
    def sentence(self) -> str:
        """Return the effect as a sentence."""
        sentences = []
        if self.smallest is not None:
            text = _("A difference above {effect} would have been detected.")
            sentences.append(text.format(effect=_share(self.smallest)))
        if self.extra_repeats is None:
            text = _("For {effect} more than a thousand repeats would be needed.")
            return " ".join([*sentences, text.format(effect=_share(self.requested))])
        if self.extra_repeats:
            text = ngettext(
                "For {effect}: about {n} more repeat{time}.",
                "For {effect}: about {n} more repeats{time}.",
                self.extra_repeats,
            )
            time = "" if self.seconds is None else f", {seconds_text(self.seconds)}"
            sentences.append(
                text.format(effect=_share(self.requested), n=self.extra_repeats, time=time)
            )
        return " ".join(sentences)


@dataclass(frozen=True)
class ExtraRepeat:
    """One more repeat of everything: its seconds, None if unknown.

    `shares_restarts`: a tuning restarts daemons, so that a block has one repeat of each level.
    """

    seconds: float | None
    shares_restarts: bool


def detectable_effect(
    result: ComparedResult, number: int, extra: ExtraRepeat, minimum: float
) -> DetectableEffect | None:
    """Return the detectable effect of a level whose main metric shows no difference; else None.

    `minimum`: share below which a difference is ignored, 0 for none.
    """
    verdict = result.verdicts[number].get(result.main)
    if verdict is None or verdict.kind is not VerdictKind.NO_DIFFERENCE:
        return None
    noise = _noise(result.repeats, result, number)
    if not noise:
        return None
    tests = max(1, verdict.cells)
    requested = minimum or REQUESTED_EFFECT
    shares = extra.shares_restarts
    sizes = partial(block_sizes, tests=tests, tunings=2, shares_restarts=shares)
    needed = repeats_needed(requested, noise, tests, sizes)
    extra_repeats = None if needed is None else max(0, needed - min(verdict.n_a, verdict.n_b))
    smallest = detectable(verdict.design, noise, tests) if verdict.design else None
    seconds = extra.seconds * extra_repeats if extra.seconds and extra_repeats else None
    return DetectableEffect(smallest, requested, extra_repeats, seconds)


def extra_repeat_of(repeats: Repeats) -> ExtraRepeat:
    """Return what one more repeat of everything is, on the host with the longest work."""
    runs = np.unique(repeats.run).tolist()
    tunings = RunTuning.objects.filter(run__in=runs)
    shares = any(restarted_kinds(tuning.settings) for tuning in tunings)
    return ExtraRepeat(_seconds(runs, repeats), shares)


def _seconds(runs: list[int], repeats: Repeats) -> float | None:
    """Return the seconds of one more repeat; None if no attempt has a start and an end."""
    rows = Attempt.objects.filter(
        case__run__in=runs, state=AttemptState.SUCCEEDED, started_at__isnull=False,
        ended_at__isnull=False, case__run_target__members__position=0,
    )  # fmt: skip
    worked: Mapping[int, float] = {
        host: taken.total_seconds()
        for host, taken in rows.order_by()
        .values_list("case__run_target__members__host")
        .annotate(taken=Sum(F("ended_at") - F("started_at")))
    }
    _groups, counts = np.unique(
        np.stack([repeats.point, repeats.operation, repeats.conditions]), axis=1, return_counts=True
    )
    done = int(counts.max(initial=0))
    return max(worked.values()) / done if worked and done else None


def _noise(repeats: Repeats, result: ComparedResult, number: int) -> float | None:
    pair, values = result.pairs[number], repeats.metric(result.main)
    sides = [values[pair.a], values[pair.b]]
    blocks = [repeats.block[pair.a], repeats.block[pair.b]]
    noise = noise_of(sides, blocks)
    return noise_of(sides) if noise is None else noise


def _share(share: float) -> str:
    return format_change(1 + share).lstrip("+")
