"""The cluster a test ran on, from the answers of ceph(8) that lie beside its output."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from apps.tools.messages import message
from apps.tools.pools.questions import HEALTH_AFTER, HEALTH_BEFORE
from apps.tools.text import as_text
from apps.tools.values import Values
from apps.tools.words import gettext_noop

HEALTHY = "HEALTH_OK"
MAX_DOCUMENT = 64 * 1024**2
MAX_TEXT = 300
_CLIENT = re.compile(r"^ceph version (\d+\.\d[0-9A-Za-z.+-]{0,40})", re.MULTILINE)
_NUMBER = re.compile(r"\d+\.\d+[0-9A-Za-z.+-]{0,40}")
_SETTINGS = (
    *("size", "min_size", "pg_num", "pgp_num", "crush_rule", "pg_autoscale_mode"),
    *("erasure_code_profile", "allow_ec_overwrites", "fast_read"),
    *("compression_mode", "compression_algorithm"),
)
# What benchlab made for this attempt alone is named after it: no fact to compare by.
_OWN = "benchlab-"
_CODE = ("k", "m", "plugin", "technique", "stripe_unit", "crush-failure-domain")
# States of the whole cluster that change what is measured (ceph(8): osd set).
_FLAGS = re.compile(r"no[a-z-]{2,20}|pause[a-z]{0,4}|full|nearfull")

Files = Mapping[str, bytes]
SICK_BEFORE = gettext_noop("Ceph was not healthy before the test: %(status)s, %(why)s.")
SICK_AFTER = gettext_noop("Ceph was not healthy after the test: %(status)s, %(why)s.")


def client_version(head: str) -> str | None:
    """The release of the client, which a test asks before anything else."""
    found = _CLIENT.search(head)
    return found[1] if found else None


def cluster(files: Files) -> Values:
    """Health, OSDs, pool and versions as far as the answers say them; empty without any answer."""
    dump, status = _document(files, "osd-dump.json"), _document(files, "status.json")
    found: Values = {
        "health": _status(_document(files, HEALTH_BEFORE)),
        "health_after": _status(_document(files, HEALTH_AFTER)),
        **_osds(status, dump),
        "flags": [str(f) for f in _list(dump.get("flags_set")) if _FLAGS.fullmatch(str(f))],
        "pool": _pool(_document(files, "pool.json"), dump),
        "daemons": _versions(_document(files, "versions.json")),
    }
    return {name: value for name, value in found.items() if value not in (None, {}, [])}


def complaints(files: Files) -> list[str]:
    """A sentence for each time at which the cluster was not healthy: what it said."""
    said: list[str] = []
    for name, words in ((HEALTH_BEFORE, SICK_BEFORE), (HEALTH_AFTER, SICK_AFTER)):
        document = _document(files, name)
        status = _status(document)
        if status not in (None, HEALTHY):
            reasons = "; ".join(_reasons(document))
            why = reasons or message("no reason")
            said.append(message(words, status=str(status), why=why))
    return said


def _document(files: Files, name: str) -> Mapping[str, Any]:
    """An object of a file, empty where there is none to read."""
    data = files.get(name, b"")
    if not data.strip() or len(data) > MAX_DOCUMENT:
        return {}
    try:
        found = json.loads(as_text(data))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _status(health: Mapping[str, Any]) -> str | None:
    """Before luminous it had another name."""
    said = health.get("status") or health.get("overall_status")
    return str(said)[:MAX_TEXT] if said else None


def _reasons(health: Mapping[str, Any]) -> Iterable[str]:
    checks = health.get("checks")
    if isinstance(checks, dict):
        summaries = [_mapping(_mapping(check).get("summary")) for check in checks.values()]
        return [str(summary.get("message"))[:MAX_TEXT] for summary in summaries]
    lines = [_mapping(line) for line in _list(health.get("summary"))]
    return [str(line.get("summary"))[:MAX_TEXT] for line in lines]


def _osds(status: Mapping[str, Any], dump: Mapping[str, Any]) -> Values:
    """The numbers of OSDs that are there, run (up) and hold data (in). The status of some releases
    nests them.
    """
    counts = _mapping(status.get("osdmap"))
    counts = _mapping(counts.get("osdmap")) or counts
    named = {"osds": "num_osds", "osds_up": "num_up_osds", "osds_in": "num_in_osds"}
    found = {name: counts.get(key) for name, key in named.items()}
    if all(_is_count(value) for value in found.values()):
        return found
    rows = [_mapping(row) for row in _list(dump.get("osds"))]
    up, inside = (sum(row.get(name) == 1 for row in rows) for name in ("up", "in"))
    return {"osds": len(rows), "osds_up": up, "osds_in": inside} if rows else {}


def _pool(pool: Mapping[str, Any], dump: Mapping[str, Any]) -> Values:
    """Its settings, and of an erasure coded one the code."""
    name = pool.get("pool")
    if not isinstance(name, str):
        return {}
    settings = _chosen(pool, _SETTINGS)
    found = {key: value for key, value in settings.items() if not str(value).startswith(_OWN)}
    found["name"] = name[:MAX_TEXT]
    profiles = _mapping(dump.get("erasure_code_profiles"))
    code = _mapping(profiles.get(str(pool.get("erasure_code_profile"))))
    return found | ({"erasure_code": _chosen(code, _CODE)} if code else {})


def _chosen(settings: Mapping[str, Any], names: Iterable[str]) -> Values:
    kept = {name: settings[name] for name in names if isinstance(settings.get(name), (str, int))}
    return {n: value[:MAX_TEXT] if isinstance(value, str) else value for n, value in kept.items()}


def _versions(versions: Mapping[str, Any]) -> list[str]:
    """Every version some daemon has, ascending as text."""
    matches = (_NUMBER.search(str(name)) for name in _mapping(versions.get("overall")))
    return sorted({match[0] for match in matches if match})


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
