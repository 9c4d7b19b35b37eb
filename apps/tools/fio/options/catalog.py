"""Facts about its options that fio 3.33 itself told (`facts.json`, made by `generate`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fact:
    """One option in fio's words. `default` is empty where fio names none; `engines` are those whose
    own option it is, none for an option of every job.
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
    """The version of the fio whose list this is."""
    return str(_stored()["version"])


@lru_cache
def facts() -> dict[str, Fact]:
    """Every option by name, in fio's order; options of engines last."""
    stored = _stored()
    found = {name: _fact(name, said, ()) for name, said in stored["options"].items()}
    for engine, options in stored["engines"].items():
        for name, said in options.items():
            known = found[name].engines if name in found else ()
            found[name] = _fact(name, said, (*known, engine))
    return found


@lru_cache
def aliases() -> dict[str, str]:
    """Another name -> the option's own."""
    return {fact.alias: fact.name for fact in facts().values() if fact.alias}


def _fact(name: str, said: Mapping[str, Any], engines: tuple[str, ...]) -> Fact:
    words = {key: str(said.get(key, "")) for key in ("text", "type", "alias", "default", "range")}
    values = said.get("values")
    return Fact(
        name,
        **words,
        values=tuple(map(str, values)) if isinstance(values, list) else (),
        engines=engines,
    )


@lru_cache
def _stored() -> Mapping[str, Any]:
    """As `generate.facts` wrote it."""
    stored: Mapping[str, Any] = json.loads(Path(__file__).with_name("facts.json").read_text())
    return stored
