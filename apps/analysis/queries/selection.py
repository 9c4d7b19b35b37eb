"""The one selection of all views, which says which results, and its canonical query string."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.http import QueryDict

from apps.analysis.queries.ranges import ParameterRange

Part = tuple[int, ...] | tuple[str, ...] | tuple[ParameterRange, ...] | bool | datetime | None


@dataclass(frozen=True)
class Selection:
    """Results of which every part that is given holds; of several values of a part one must. The
    names and their order are those of the query and of the JSON form.

    Numbers name rows; `workload` are keys, `model` the disks' as they were last seen, `tag` those
    of the run, its host or its disk. `tuning`: profiles by number, or the names that tunings had
    when they were launched or imported. `host`: the first that took part.
    """

    run: tuple[int, ...] = ()
    plan: tuple[int, ...] = ()
    case: tuple[int, ...] = ()
    workload: tuple[str, ...] = ()
    tool: tuple[str, ...] = ()
    param: tuple[ParameterRange, ...] = ()
    host: tuple[int, ...] = ()
    tag: tuple[str, ...] = ()
    target: tuple[int, ...] = ()
    model: tuple[str, ...] = ()
    tuning: tuple[str, ...] = ()
    owner: tuple[int, ...] = ()
    imported: bool | None = None
    after: datetime | None = None
    before: datetime | None = None

    @property
    def is_empty(self) -> bool:
        """Whether all results are meant."""
        return not any(True for _name, _text in self._texts())

    @property
    def names_nothing(self) -> bool:
        """Whether nothing says which results, but perhaps of which kind."""
        return not any(getattr(self, name) for name in NAMING)

    def pairs(self) -> list[tuple[str, str]]:
        """The query's names and values in their one order."""
        return list(self._texts())

    def query(self) -> str:
        """The query string, without the question mark."""
        return urlencode(self.pairs())

    def _texts(self) -> Iterator[tuple[str, str]]:
        for name in PARTS:
            value: Part = getattr(self, name)
            if isinstance(value, tuple):
                yield from ((name, str(one)) for one in sorted(value))
            elif isinstance(value, bool):
                yield name, "true" if value else "false"
            elif value is not None:
                yield name, moment_text(value)


EVERYTHING = Selection()
PARTS = tuple(one.name for one in fields(Selection))
"""The names of a query that say which results."""
NUMBERS = frozenset({"run", "plan", "case", "host", "target", "owner"})
"""Parts whose values are numbers of rows."""
WIDE = frozenset({"tool", "param", "imported", "after", "before"})
"""Parts that hold for most of an archive: alone they name nothing."""
NAMING = tuple(name for name in PARTS if name not in WIDE)
"""Parts of which a question has at least one: nobody wants the whole archive merged."""
OWN: Mapping[str, tuple[str, ...]] = {
    "sweep": ("tool",),
    "table": ("tool",),
    "network": ("workload",),
}
"""Names that mean something else to a view: a choice among what is shown."""
CHOSEN_BY_NAME: Mapping[str, tuple[str, ...]] = {
    "table": ("tuning", "target"),
    "network": ("tuning",),
}
"""Parts of which a view shows one and offers the others: a name chooses, numbers select."""


def parts_of(view: str) -> tuple[str, ...]:
    """The parts of a selection that a view's query may have."""
    return tuple(name for name in PARTS if name not in OWN.get(view, ()))


def is_number(text: str) -> bool:
    """Whether a value is the number of a row rather than a name."""
    return text.isascii() and text.isdigit()


def moment_text(moment: datetime) -> str:
    """A moment as queries and JSON hold it, in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def only(data: QueryDict, *names: str) -> QueryDict:
    """The part of a query that has these names."""
    found = QueryDict(mutable=True)
    for name in names:
        if values := [value for value in data.getlist(name) if value]:
            found.setlist(name, values)
    return found
