"""Queries of analysis views as reports and alerts store them.

A document holds its version, the view, the selection in its JSON form, and the other parameters:
{"version": 1, "view": "history", "selection": {"target": [12]}, "options": {"metric": ["iops"]}}.
A stored query is parsed by its view when it is read. A change of a parameter's name or meaning
needs a new version, and a sample in tests/structure/stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.http import QueryDict

from apps.analysis.queries.selection import PARTS, parts_of
from apps.analysis.queries.selection_json import part_pairs, selection_as_json
from apps.common.schemas.versioned_json import VersionedSchema


class StoredQuery(msgspec.Struct, frozen=True):
    """A view and its query: `selection` names the results, `options` are the other parameters."""

    view: str
    selection: Mapping[str, Any] = {}
    options: Mapping[str, tuple[str, ...]] = {}

    @classmethod
    def from_query(cls, view: str, query: str) -> StoredQuery:
        """Return the stored form of a valid query string."""
        data = QueryDict(query)
        options = {
            name: tuple(values) for name, values in data.lists() if name not in parts_of(view)
        }
        return cls(view, selection_as_json(view, query), options)

    def urlencode(self) -> str:
        """Return the query string: the selection in its order, then all else by name, unchecked."""
        order = [name for name in PARTS if name in self.selection]
        order += sorted(self.selection.keys() - set(PARTS))
        pairs = [pair for name in order for pair in part_pairs(name, self.selection[name])]
        pairs += [(name, one) for name in sorted(self.options) for one in self.options[name]]
        return urlencode(pairs)


STORED_QUERY = VersionedSchema(StoredQuery)
