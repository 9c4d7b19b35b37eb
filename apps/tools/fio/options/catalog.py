"""Descriptions of options printed by fio 3.33 (`facts.json`, written by `generate`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fact:
    """Description of one option by fio.

    `default` is empty if fio states none; `engines`: engines with this option, empty for an option
    of every job.
    """

    name: str
    text: str
    type: str = ""
    alias: str = ""
    default: str = ""
    range: str = ""
    values: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()


@lru_cache
def version() -> str:
    """Return the version of fio that printed the list."""
    return str(_stored()["version"])


@lru_cache
def facts() -> dict[str, Fact]:
    """Return every option by name, in fio's order; options of engines last."""
    stored = _stored()
    result = {name: _fact(name, entry, ()) for name, entry in stored["options"].items()}
    for engine, options in stored["engines"].items():
        for name, entry in options.items():
            engines = result[name].engines if name in result else ()
            result[name] = _fact(name, entry, (*engines, engine))
    return result


@lru_cache
def aliases() -> dict[str, str]:
    """Return alternative name -> canonical name."""
    return {fact.alias: fact.name for fact in facts().values() if fact.alias}


def _fact(name: str, entry: Mapping[str, Any], engines: tuple[str, ...]) -> Fact:
    texts = {key: str(entry.get(key, "")) for key in ("text", "type", "alias", "default", "range")}
    values = entry.get("values")
    return Fact(
        name,
        **texts,
        values=tuple(map(str, values)) if isinstance(values, list) else (),
        engines=engines,
    )


@lru_cache
def _stored() -> Mapping[str, Any]:
    """Return the content of the file that `generate` wrote."""
    stored: Mapping[str, Any] = json.loads(Path(__file__).with_name("facts.json").read_text())
    return stored
