"""The chains of pairs: their comparisons metric by metric, put together from columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from apps.analysis.compare.matching.guard import Difference
from apps.analysis.compare.matching.repeats import Floats, Ints, Repeats
from apps.analysis.compare.question import Question
from apps.analysis.compare.stats import batch
from apps.analysis.compare.stats.designs import Design, Layout
from apps.analysis.compare.verdicts.cells import Blocks, counting, design_of_all, designed
from apps.analysis.compare.verdicts.columns import Batch
from apps.analysis.compare.verdicts.family import PLACES
from apps.analysis.compare.verdicts.looked import looks_between
from apps.analysis.compare.verdicts.pairs import PairColumns, numbered
from apps.tools.metrics import METRICS

Chain = tuple[str, ...]


@dataclass(frozen=True)
class _Kind:
    """Pairs with as many repeats in the same blocks: a row of `a` and `b` is a pair's. `timed`:
    whether the times of all repeats are known.
    """

    a: Ints
    b: Ints
    blocks: Blocks | None
    timed: bool


class PairChains:
    """Chains of pairs as `columns.Chains`. `chains`: the metrics of each, one behind the other."""

    def __init__(self, pairs: PairColumns, question: Question, chains: Sequence[Chain]) -> None:
        self._pairs, self._question = pairs, question
        self.different, self.of = numbered(chains)
        lengths = np.array([len(chain) for chain in self.different], dtype=np.int64)
        self.lengths = lengths[self.of]
        self.comparable = np.array(
            [not found and not self._apart(at) for at, found in enumerate(pairs.differing)],
            dtype=np.bool_,
        )
        self._kinds: list[_Kind] = []
        self._kind = np.zeros(len(pairs), dtype=np.int64)
        self._row = np.zeros(len(pairs), dtype=np.int64)
        for rows, kind in self._found():
            self._kind[rows], self._row[rows] = len(self._kinds), np.arange(len(rows))
            self._kinds.append(kind)

    def factors(self, chain: int) -> tuple[str, ...]:
        """Labels of what differs as well."""
        return tuple(map(str, (*self._pairs.differing[chain], *self._apart(chain))))

    def _apart(self, chain: int) -> tuple[Difference, ...]:
        """The windows of a chain that begins with a metric over other windows."""
        apart = self._pairs.windows_apart[chain]
        first = self.different[self.of[chain]][0] if apart else ""
        return (apart[first],) if first in apart else ()

    def batches(self, places: Ints, at: int, cells: int) -> list[Batch]:
        """The comparisons at this place of these chains, by their metric and their design."""
        metrics = np.array([PLACES[c[at]] if at < len(c) else 0 for c in self.different])
        codes = self._kind[places] * len(PLACES) + metrics[self.of[places]] if len(places) else []
        names = list(PLACES)
        found: list[Batch] = []
        for code in np.unique(codes).tolist():
            kind, metric = divmod(code, len(PLACES))
            mine = places[codes == code]
            found += self._batches(self._kinds[kind], mine, names[metric], cells)
        return found

    def _batches(self, kind: _Kind, mine: Ints, metric: str, cells: int) -> Iterator[Batch]:
        """One design for all of which each value counts, else one for those that lack the same."""
        sizes = kind.a.shape[1], kind.b.shape[1]
        pairs, place = self._pairs, PLACES[metric]
        whole = pairs.counts[pairs.a[mine], place] == sizes[0]
        whole &= pairs.counts[pairs.b[mine], place] == sizes[1]
        whole &= not pairs.repeats.has_negative
        if whole.any():
            design, layout = design_of_all(kind.blocks, sizes, cells)
            yield self._batch(kind, mine[whole], metric, design, layout, sizes)
        if not whole.all():
            yield from self._with_gaps(kind, mine[~whole], metric, cells)

    def _with_gaps(self, kind: _Kind, mine: Ints, metric: str, cells: int) -> Iterator[Batch]:
        values, rows = self._pairs.repeats.metric(metric), self._row[mine]
        use_a, use_b = counting(values[kind.a[rows]]), counting(values[kind.b[rows]])
        alike: dict[tuple[bytes, bytes], list[int]] = defaultdict(list)
        for number in range(len(rows)):
            alike[use_a[number].tobytes(), use_b[number].tobytes()].append(number)
        for (marks_a, marks_b), some in alike.items():
            counts = marks_a.count(1), marks_b.count(1)
            design, layout = designed(kind.blocks, counts, (marks_a, marks_b), cells)
            yield self._batch(kind, mine[some], metric, design, layout, counts)

    def _batch(
        self,
        kind: _Kind,
        mine: Ints,
        metric: str,
        design: Design,
        layout: Layout,
        counts: tuple[int, int],
    ) -> Batch:
        repeats, rows = self._pairs.repeats, self._row[mine]
        return Batch(
            mine, design, counts,
            np.full(len(mine), METRICS[metric].higher_is_better is not False),
            np.full(len(mine), self._question.minimum / 100),
            lambda some: _sides(repeats, metric, kind, rows[some], design, layout),
        )  # fmt: skip

    def _found(self) -> Iterator[tuple[Ints, _Kind]]:
        """Kinds of pairs, and the pairs of each."""
        pairs = self._pairs
        lengths = zip(pairs.lengths[pairs.a].tolist(), pairs.lengths[pairs.b].tolist(), strict=True)
        sizes, of = numbered(lengths)
        for number, (n_a, n_b) in enumerate(sizes):
            mine = np.flatnonzero(of == number)
            a, b = pairs.matrix(pairs.a[mine], n_a), pairs.matrix(pairs.b[mine], n_b)
            alike, kind_of = numbered(self._blocks_of(a, b))
            for place, labels in enumerate(alike):
                rows = np.flatnonzero(kind_of == place)
                yield mine[rows], self._kind_of(a[rows], b[rows], labels)

    def _blocks_of(self, a: Ints, b: Ints) -> Iterator[tuple[bytes, bool]]:
        """The blocks of each pair's repeats as bytes, empty where one has none, and between runs,
        which share no block; whether all of its times are known.
        """
        repeats = self._pairs.repeats
        labels = np.concatenate([repeats.block[a], repeats.block[b]], axis=1)
        usable = labels.all(axis=1) & (self._question.factor != "run")
        timed = repeats.timed[a].all(axis=1) & repeats.timed[b].all(axis=1)
        data, width = labels.tobytes(), 8 * labels.shape[1]
        marks: list[list[bool]] = np.stack([usable, timed], axis=1).tolist()
        for place, (blocks, known) in enumerate(marks):
            if blocks:
                yield data[place * width : (place + 1) * width], known
            else:
                yield b"", False

    def _kind_of(self, a: Ints, b: Ints, labels: tuple[bytes, bool]) -> _Kind:
        data, timed = labels
        if not data:
            return _Kind(a, b, None, timed)
        blocks = np.frombuffer(data, dtype=np.int64)
        mine, theirs = blocks[: a.shape[1]], blocks[a.shape[1] :]
        first, last = min(mine[0], theirs[0]), max(mine[-1], theirs[-1])
        looks = looks_between(self._pairs.repeats.looks, int(first), int(last))
        return _Kind(a, b, Blocks(mine, theirs, looks=looks), timed)


def _sides(
    repeats: Repeats, metric: str, kind: _Kind, rows: Ints, design: Design, layout: Layout
) -> batch.Sides:
    a, b = kind.a[rows][:, layout.a], kind.b[rows][:, layout.b]
    values: Floats = repeats.metric(metric)
    sides = batch.logarithms(values[a]), batch.logarithms(values[b])
    if design.test != "blocks" or not kind.timed:
        return batch.Sides(*sides)
    return batch.Sides(*sides, repeats.moments[a], repeats.moments[b])
