"""Facts about the Ceph cluster under test, from the responses of ceph(8) beside its output."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from apps.tools.messages import message
from apps.tools.pools.cluster_queries import HEALTH_AFTER, HEALTH_BEFORE
from apps.tools.text import as_text
from apps.tools.translation import gettext_noop
from apps.tools.values import Values

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
# Prefix of what benchlab creates for one attempt: its name is no fact to compare.
_ATTEMPT_PREFIX = "benchlab-"
_CODE = ("k", "m", "plugin", "technique", "stripe_unit", "crush-failure-domain")
# States of the whole cluster that change what is measured (ceph(8): osd set).
_FLAGS = re.compile(r"no[a-z-]{2,20}|pause[a-z]{0,4}|full|nearfull")

Files = Mapping[str, bytes]
UNHEALTHY_BEFORE = gettext_noop("Ceph was not healthy before the test: %(status)s, %(why)s.")
UNHEALTHY_AFTER = gettext_noop("Ceph was not healthy after the test: %(status)s, %(why)s.")


def client_version(head: str) -> str | None:
    """Return the release of the client, from the first command of a test."""
    match = _CLIENT.search(head)
    return match[1] if match else None


def cluster(files: Files) -> Values:
    """Return health, OSDs, pool and versions as far as the responses contain them.

    Empty without a response.
    """
    dump, status = _document(files, "osd-dump.json"), _document(files, "status.json")
    facts: Values = {
        "health": _status(_document(files, HEALTH_BEFORE)),
        "health_after": _status(_document(files, HEALTH_AFTER)),
        **_osds(status, dump),
        "flags": [str(f) for f in _list(dump.get("flags_set")) if _FLAGS.fullmatch(str(f))],
        "pool": _pool(_document(files, "pool.json"), dump),
        "daemons": _versions(_document(files, "versions.json")),
    }
    return {name: value for name, value in facts.items() if value not in (None, {}, [])}


def complaints(files: Files) -> list[str]:
    """Return a sentence for each time at which the cluster was not healthy, with its reasons."""
    messages: list[str] = []
    for name, template in ((HEALTH_BEFORE, UNHEALTHY_BEFORE), (HEALTH_AFTER, UNHEALTHY_AFTER)):
        document = _document(files, name)
        status = _status(document)
        if status not in (None, HEALTHY):
            reasons = "; ".join(_reasons(document))
            reason = reasons or message("no reason")
            messages.append(message(template, status=str(status), why=reason))
    return messages


def _document(files: Files, name: str) -> Mapping[str, Any]:
    """Return the JSON object of a file; empty if it cannot be parsed."""
    data = files.get(name, b"")
    if not data.strip() or len(data) > MAX_DOCUMENT:
        return {}
    try:
        document = json.loads(as_text(data))
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _status(health: Mapping[str, Any]) -> str | None:
    """Return the health status. Releases before luminous have it as `overall_status`."""
    status = health.get("status") or health.get("overall_status")
    return str(status)[:MAX_TEXT] if status else None


def _reasons(health: Mapping[str, Any]) -> Iterable[str]:
    checks = health.get("checks")
    if isinstance(checks, dict):
        summaries = [_mapping(_mapping(check).get("summary")) for check in checks.values()]
        return [str(summary.get("message"))[:MAX_TEXT] for summary in summaries]
    lines = [_mapping(line) for line in _list(health.get("summary"))]
    return [str(line.get("summary"))[:MAX_TEXT] for line in lines]


def _osds(status: Mapping[str, Any], dump: Mapping[str, Any]) -> Values:
    """Return the numbers of OSDs that exist, run (up) and have data (in).

    The status of some releases nests them.
    """
    counts = _mapping(status.get("osdmap"))
    counts = _mapping(counts.get("osdmap")) or counts
    named = {"osds": "num_osds", "osds_up": "num_up_osds", "osds_in": "num_in_osds"}
    numbers = {name: counts.get(key) for name, key in named.items()}
    if all(_is_count(value) for value in numbers.values()):
        return numbers
    rows = [_mapping(row) for row in _list(dump.get("osds"))]
    up, inside = (sum(row.get(name) == 1 for row in rows) for name in ("up", "in"))
    return {"osds": len(rows), "osds_up": up, "osds_in": inside} if rows else {}


def _pool(pool: Mapping[str, Any], dump: Mapping[str, Any]) -> Values:
    """Return the pool's settings, and the code of an erasure coded pool."""
    name = pool.get("pool")
    if not isinstance(name, str):
        return {}
    settings = _chosen(pool, _SETTINGS)
    facts = {
        key: value for key, value in settings.items() if not str(value).startswith(_ATTEMPT_PREFIX)
    }
    facts["name"] = name[:MAX_TEXT]
    profiles = _mapping(dump.get("erasure_code_profiles"))
    code = _mapping(profiles.get(str(pool.get("erasure_code_profile"))))
    return facts | ({"erasure_code": _chosen(code, _CODE)} if code else {})


def _chosen(settings: Mapping[str, Any], names: Iterable[str]) -> Values:
    chosen = {name: settings[name] for name in names if isinstance(settings.get(name), (str, int))}
    return {n: value[:MAX_TEXT] if isinstance(value, str) else value for n, value in chosen.items()}


def _versions(versions: Mapping[str, Any]) -> list[str]:
    """Return the versions of all daemons without duplicates, ascending as text."""
    matches = (_NUMBER.search(str(name)) for name in _mapping(versions.get("overall")))
    return sorted({match[0] for match in matches if match})


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
