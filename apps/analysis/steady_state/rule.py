"""Stopping rule that adds a round until the tracked metric is steady."""

from __future__ import annotations

from apps.analysis.steady_state.selectors import tracks_of
from apps.runs.models import Run
from apps.runs.selectors.extension_blocks import block_after, existing_cases
from apps.runs.services.stopping_rules import Extend, Stop
from apps.stats.steady_state import WINDOW_ROUNDS
from apps.tools.messages import message

NAME = "steady state"


class SteadyStateStoppingRule:
    """SNIA's steady state of the tracked step's metric, on all targets under all tunings."""

    name = NAME

    def applies(self, run: Run) -> bool:
        """Return True if the run has rounds and no decision ended them."""
        if not run.spec.steady_state:
            return False
        return not run.extensions.filter(rule=NAME, cases=0).exists()

    def decide(self, run: Run) -> Extend | Stop:
        """Return one more round, or the reason to stop."""
        tracks, existing, max_rounds = (
            tracks_of(run),
            existing_cases(run),
            run.spec.steady_state.max_rounds,
        )
        done = existing.block
        if not tracks or all(track.values[done - 1] is None for track in tracks):
            reason = message("round %(number)d gave no figure that could be tracked", number=done)
            return Stop(reason)
        last = tracks[0].last
        if last is not None:
            reason = message("steady after round %(number)d", number=last)
            return Stop(reason, [*range(1, last - WINDOW_ROUNDS + 1), *range(last + 1, done + 1)])
        if done < max_rounds:
            return Extend(block_after(run, existing, 1))
        reason = message("not steady in %(number)d rounds", number=done)
        return Stop(reason, range(1, done - WINDOW_ROUNDS + 1))
