"""Descriptions of options.

Those of fio 3.33 as it prints them (`facts.json`, written by `generate`), newer ones in own words
(`newer`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from .fact import Fact
from .newer import NEWER, NVME, PASSED_TO_NVME
from .versions import RENAMED


@lru_cache
def version() -> str:
    """Return the version of fio that printed the list."""
    return str(_stored()["version"])


@lru_cache
def facts() -> dict[str, Fact]:
    """Return every option by name, in fio's order; options of engines, then newer ones last."""
    stored = _stored()
    result = {name: _fact(name, entry, ()) for name, entry in stored["options"].items()}
    for engine, options in stored["engines"].items():
        for name, entry in options.items():
            engines = result[name].engines if name in result else ()
            result[name] = _fact(name, entry, (*engines, engine))
    for name in PASSED_TO_NVME:
        result[name] = replace(result[name], engines=(*result[name].engines, NVME))
    return {**result, **NEWER}


@lru_cache
def aliases() -> dict[str, str]:
    """Return alternative name -> canonical name."""
    earlier = {fact.alias: fact.name for fact in facts().values() if fact.alias}
    return earlier | {later: earlier_name for earlier_name, later in RENAMED.items()}


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
