"""First and last version of fio with each option (`versions.json`, by `generate_versions`).

Covers fio 3.6 to 3.42. The list of a host's own fio decides; the table explains the decision.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from apps.tools.option_versions import OptionVersions

# Later names of options; every later fio accepts the earlier name as an alias (options.c).
RENAMED: Mapping[str, str] = {
    "fdp_pli": "plids",
    "fdp_pli_select": "plid_select",
    "log_max_value": "log_window_value",
}
# fio's list shows options and what belongs to them, but nothing on a third level (parse.c,
# `show_option_help`): these belong to sprandom, which belongs to rw. Versions: fio's history.
UNLISTED: Mapping[str, tuple[str, str]] = {
    "spr_op": ("sprandom", "3.41"),
    "spr_num_regions": ("sprandom", "3.41"),
    "spr_cs": ("sprandom", "3.42"),
}


@lru_cache
def versions() -> tuple[str, ...]:
    """Return the versions of fio that the table covers, ascending."""
    return tuple(_stored()["versions"])


@lru_cache
def ranges() -> Mapping[str, OptionVersions]:
    """Return the versions of each option, and of each engine as "ioengine=NAME"."""
    limits: Mapping[str, tuple[str | None, str | None]] = _stored()["options"]
    result = {name: OptionVersions(name, *pair, (name,)) for name, pair in limits.items()}
    for earlier, later in RENAMED.items():
        since, until = limits[earlier][0], limits[later][1]
        result[earlier] = OptionVersions(earlier, since, until, (earlier, later))
        del result[later]
    for name, (parent, since) in UNLISTED.items():
        result[name] = OptionVersions(name, since, None, (parent,), list_decides=False)
    return result


def range_of(name: str) -> OptionVersions:
    """Return the versions of an option or engine; without limits if it is not in the table."""
    return ranges().get(name) or OptionVersions(name)


def since_text(name: str) -> str:
    """Return "fio 3.41 or newer", "fio 3.34 or older", both, or nothing."""
    limits = range_of(name)
    texts = [f"fio {limits.since} or newer"] if limits.since else []
    texts += [f"fio {limits.until} or older"] if limits.until else []
    return ", ".join(texts)


@lru_cache
def _stored() -> Mapping[str, dict[str, tuple[str | None, str | None]]]:
    """Return the content of the file that `generate_versions` wrote."""
    stored: Mapping[str, dict[str, tuple[str | None, str | None]]]
    stored = json.loads(Path(__file__).with_name("versions.json").read_text())
    return stored
