"""Answers that are worked out once for a question, and kept until anything they rest on changes:
the one mechanism of all views.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from django.http import QueryDict

from apps.analysis.stamps import Basis, Stamp, stamp_of
from apps.common.kept import answered, name_of

T = TypeVar("T")


class KeptAnswers:
    """Kept parts of the answer to one question. The stamp is taken before anything is read, so what
    is kept under it is never older than it. Without a basis all is worked out each time.
    """

    def __init__(self, view: str, data: QueryDict, basis: Basis | None) -> None:
        self.view, self.basis = view, basis
        self._data = sorted(data.lists())

    @cached_property
    def stamp(self) -> Stamp | None:
        """The stamp, asked for once."""
        return self.stamp_now()

    def stamp_now(self) -> Stamp | None:
        """The stamp, asked for again."""
        return None if self.basis is None else stamp_of(self.basis)

    def of(self, what: str, kind: type[T], work_out: Callable[[], T]) -> T:
        """A part of the answer, by its name: kept, else worked out and kept."""
        if self.stamp is None:
            return work_out()
        name = name_of("analysis", self.view, self._data, self.stamp, what)
        return answered(name, kind, work_out)
