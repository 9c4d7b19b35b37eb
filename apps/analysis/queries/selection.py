"""Selection of results, shared by all views, and its canonical query string."""

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
    """Results that match every given part; of several values of a part one must match.

    Names and order are those of the query and of the JSON form. Numbers are row ids. `workload`:
    keys; `model`: disk models as last seen; `tag`: of the run, its host or its disk; `tuning`:
    profiles by number, or names at launch or import; `host`: the first participating host.
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
        """Return True if all results are selected."""
        return not any(True for _name, _text in self._texts())

    @property
    def names_nothing(self) -> bool:
        """Return True if no part names results; parts of WIDE alone match most of an archive."""
        return not any(getattr(self, name) for name in NAMING)

    def pairs(self) -> list[tuple[str, str]]:
        """Return names and values in canonical order."""
        return list(self._texts())

    def urlencode(self) -> str:
        """Return the query string."""
        return urlencode(self.pairs())

    def _texts(self) -> Iterator[tuple[str, str]]:
        for name in PARTS:
            value: Part = getattr(self, name)
            if isinstance(value, tuple):
                yield from ((name, str(one)) for one in sorted(value))
            elif isinstance(value, bool):
                yield name, "true" if value else "false"
            elif value is not None:
                yield name, timestamp_text(value)


EVERYTHING = Selection()
PARTS = tuple(one.name for one in fields(Selection))
"""Query names of a selection."""
NUMBERS = frozenset({"run", "plan", "case", "host", "target", "owner"})
"""Parts whose values are row ids."""
WIDE = frozenset({"tool", "param", "imported", "after", "before"})
"""Parts that match most of an archive."""
NAMING = tuple(name for name in PARTS if name not in WIDE)
"""Parts of which a query needs at least one."""
OWN: Mapping[str, tuple[str, ...]] = {
    "sweep": ("tool",),
    "table": ("tool",),
    "network": ("workload",),
}
"""Names with another meaning in a view: a choice of what is shown."""
CHOSEN_BY_NAME: Mapping[str, tuple[str, ...]] = {
    "table": ("tuning", "target"),
    "network": ("tuning",),
}
"""Parts of which a view shows one and offers the others: a name is a choice, numbers select."""


def parts_of(view: str) -> tuple[str, ...]:
    """Return the parts of a selection that a view's query may contain."""
    return tuple(name for name in PARTS if name not in OWN.get(view, ()))


def is_number(text: str) -> bool:
    """Return True if a value is a row id rather than a name."""
    return text.isascii() and text.isdigit()


def timestamp_text(timestamp: datetime) -> str:
    """Return a timestamp for queries and JSON, in UTC."""
    return timestamp.astimezone(UTC).isoformat().replace("+00:00", "Z")


def only(data: QueryDict, *names: str) -> QueryDict:
    """Return the part of a query with these names."""
    result = QueryDict(mutable=True)
    for name in names:
        if values := [value for value in data.getlist(name) if value]:
            result.setlist(name, values)
    return result
