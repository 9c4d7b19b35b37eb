"""Differences that a comparison could have shown where it shows none, and the repeats it takes."""

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
from apps.analysis.verdicts.text import percent
from apps.common.domain.units import seconds as seconds_text
from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.blocks import block_sizes
from apps.runs.models import Attempt, AttemptState
from apps.stats.power import detectable, noise_of, repeats_needed

REQUESTED_EFFECT = 0.03
"""The difference people ask for, where they named no minimum."""


@dataclass(frozen=True)
class DetectableEffect:
    """`least`: the smallest difference (a share) that would have been seen in 19 of 20; None
    where none would. `more`: repeats to add until `wanted` would be, None where that is more than
    a thousand; `seconds`: what they take.
    """

    least: float | None
    wanted: float
    more: int | None
    seconds: float | None

    @property
    def sentence(self) -> str:
        """As people read it."""
        sentences = []
        if self.least is not None:
            words = _("A difference above {least} would have been seen.")
            sentences.append(words.format(least=_share(self.least)))
        if self.more is None:
            words = _("For {wanted} more than a thousand repeats would be needed.")
            return " ".join([*sentences, words.format(wanted=_share(self.wanted))])
        if self.more:
            words = ngettext(
                "For {wanted}: about {n} more repeat{time}.",
                "For {wanted}: about {n} more repeats{time}.",
                self.more,
            )
            time = "" if self.seconds is None else f", {seconds_text(self.seconds)}"
            sentences.append(words.format(wanted=_share(self.wanted), n=self.more, time=time))
        return " ".join(sentences)


def detectable_effect(
    result: ComparedResult, number: int, pace: float | None, minimum: float
) -> DetectableEffect | None:
    """Of a level whose main metric shows no difference; None of others. `pace`: seconds that one
    more repeat of everything takes; `minimum`: the share below which nobody cares, 0 for none.
    """
    verdict = result.verdicts[number].get(result.main)
    if verdict is None or verdict.kind is not VerdictKind.NO_DIFFERENCE:
        return None
    noise = _noise(result.repeats, result, number)
    if not noise:
        return None
    tests = max(1, verdict.cells)
    wanted = minimum or REQUESTED_EFFECT
    sizes = partial(block_sizes, tests=tests, tunings=2)
    needed = repeats_needed(wanted, noise, tests, sizes)
    more = None if needed is None else max(0, needed - min(verdict.n_a, verdict.n_b))
    least = detectable(verdict.design, noise, tests) if verdict.design else None
    return DetectableEffect(least, wanted, more, pace * more if pace and more else None)


def pace_of(repeats: Repeats) -> float | None:
    """Seconds that one more repeat of everything takes, from the cases of these runs: of the host
    that was at work longest. None where no case says when it began and ended.
    """
    runs = np.unique(repeats.run).tolist()
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
    _places, counts = np.unique(
        np.stack([repeats.point, repeats.operation, repeats.conditions]), axis=1, return_counts=True
    )
    done = int(counts.max(initial=0))
    return max(worked.values()) / done if worked and done else None


def _noise(repeats: Repeats, result: ComparedResult, number: int) -> float | None:
    pair, values = result.pairs[number], repeats.metric(result.main)
    sides = [values[pair.a], values[pair.b]]
    blocks = [repeats.block[pair.a], repeats.block[pair.b]]
    found = noise_of(sides, blocks)
    return noise_of(sides) if found is None else found


def _share(share: float) -> str:
    return percent(1 + share).lstrip("+")
