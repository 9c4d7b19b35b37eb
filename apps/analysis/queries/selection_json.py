"""JSON form of a selection in a query: `?selection={"host": [3]}`."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.analysis.queries.ranges import ParameterRange
from apps.analysis.queries.selection import NUMBERS, PARTS, is_number, parts_of
from apps.common.errors import ServiceError

NAME = "selection"


def expand_selection_json(data: QueryDict) -> QueryDict:
    """Replace the JSON form in a query by its names and values. Raises: ServiceError (400)."""
    text = data.get(NAME)
    if text is None:
        return data
    result = data.copy()
    result.pop(NAME)
    try:
        document = msgspec.json.decode(text, type=dict[str, object])
    except msgspec.DecodeError:
        raise _validation_error(_("A selection is a JSON object.")) from None
    for name, value in pairs_from_json(document):
        result.appendlist(name, value)
    return result


def pairs_from_json(document: Mapping[str, object]) -> list[tuple[str, str]]:
    """Convert the JSON form to query pairs; checks names only. Raises: ServiceError (400)."""
    result = []
    for name, value in document.items():
        if name not in PARTS:
            message = _("A selection has no part “{name}”.")
            raise _validation_error(message.format(name=name[:80]))
        result += part_pairs(name, value)
    return result


def part_pairs(name: str, value: object) -> list[tuple[str, str]]:
    """Return the query of one part in its JSON form, unchecked."""
    values = value if isinstance(value, list) else [value]
    return [(name, _text(one)) for one in values]


def selection_as_json(view: str, query: str) -> dict[str, object]:
    """Return the JSON form of the selection in a view's canonical query."""
    data = QueryDict(query)
    result: dict[str, object] = {}
    for name in parts_of(view):
        values = [_value(name, text) for text in data.getlist(name)]
        if values:
            result[name] = values[0] if name in ("imported", "after", "before") else values
    return result


def _value(name: str, text: str) -> object:
    if name == "param":
        return ParameterRange.read(text).document()
    if name == "imported":
        return text == "true"
    return int(text) if (name in NUMBERS or name == "tuning") and is_number(text) else text


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, dict):
        return str(value)
    name = value.get("name", "")
    if "value" in value:
        return f"{name}:{_number(value['value'])}"
    return f"{name}:{_number(value.get('least', ''))}..{_number(value.get('most', ''))}"


def _number(value: object) -> str:
    """Return a bound without ".0", as the canonical query has it."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _validation_error(message: str) -> ServiceError:
    return ServiceError(message, {NAME: message}, status=400)
