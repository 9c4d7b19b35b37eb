"""Every address of benchlab, from its own map of URLs, filled in with the rows of a world."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from apps.bookings.selectors.feed import feed_token
from benchlab.tests.api_world import World

METHODS = {"get", "post", "patch", "put", "delete"}
GATE = "?run={run}&against=tuning:Host+defaults&iops_worse=5"
# What an address needs beside a row to answer with more than "no such thing".
QUERIES = {
    "compare": "?run={run}",
    "gate": GATE,
    "compare_figure": "?run={run}",
    "compare_details": "?run={run}&group={slug}",
    "compare_distribution": "?run={run}&group={slug}",
    "v1:compare-list": "?run={run}",
    "v1:gate-list": GATE,
    "v1:analysis-detail": "?run={run}",
    "analysis_export": "?run={run}&format=csv",
    "analysis_figure": "?run={run}",
    "sweep": "?run={run}",
    "section_add": "?view=sweep&query=run%3D{run}",
}
WORDS = {
    ("run_fragment", "part"): "status",
    ("choices", "kind"): "runs",
    ("disk_sheet_file", "kind"): "json",
    ("case_figure", "kind"): "percentiles",
    ("compare_figure", "name"): "bars",
    ("analysis_export", "view"): "sweep",
    ("run_report_part", "view"): "medians",
    ("analysis_figure", "view"): "distribution",
    ("analysis_figure", "name"): "percentiles",
    ("v1:analysis-detail", "view"): "sweep",
    ("login_end", "reference"): "00000000-0000-4000-8000-000000000000",
    ("second_factor_remove", "pk"): "0",
}


def routes() -> dict[str, URLPattern]:
    """All routes by name."""
    return {name: route for name, _path, route in _walk(get_resolver()) if _ours(name)}


def address(name: str, world: World) -> str:
    """An address of this route that leads to one of the world's rows."""
    path = _paths()[name]
    filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: _value(name, path, m.group(1), world), path)
    if name not in QUERIES:
        return f"/{filled}"
    return f"/{filled}" + QUERIES[name].format(run=world.compared.pk, slug=world.slug)


@functools.cache
def _paths() -> dict[str, str]:
    """Of each route, of several of one name the first."""
    walked = [(name, path) for name, path, _route in _walk(get_resolver())]
    return dict(reversed(walked))


def api_methods(route: URLPattern) -> set[str]:
    """The methods an address of the API answers."""
    view: Any = route.callback
    known = getattr(view, "actions", None) or {"get": ""}
    return METHODS & set(known) & set(view.cls.http_method_names)


def _walk(
    resolver: URLResolver, path: str = "", space: str = ""
) -> Iterator[tuple[str, str, URLPattern]]:
    for found in resolver.url_patterns:
        inner = path + str(found.pattern)
        if isinstance(found, URLResolver):
            yield from _walk(found, inner, f"{found.namespace}:" if found.namespace else space)
        else:
            yield f"{space}{found.name}", inner, found


def _ours(name: str) -> bool:
    return not name.startswith("None")


def _value(name: str, path: str, parameter: str, world: World) -> str:
    fixed = WORDS.get((name, parameter))
    if name == "booking_feed":
        return feed_token(world.owner)
    if parameter in ("share_pk", "token"):
        return str(world.share.pk) if parameter == "share_pk" else world.share_token
    values = {
        "number": "1",
        "position": "0",
        "reference": world.token.reference,
        "id": world.token.reference,
    }
    if fixed or parameter in values:
        return str(fixed or values[parameter])
    if parameter == "disk":
        return str(world.disk.pk)
    if parameter == "name":
        return world.artifact.name
    noun = path.removeprefix("api/v1/").split("/")[0]
    return str(_row(noun, world).pk)


def _row(noun: str, world: World) -> Any:
    """The world's row of this noun."""
    odd: dict[str, Any] = {
        "users": world.person,
        "directories": world.directory,
        "series": world.series,
    }
    odd |= {"imports": world.imported, "ssh-keys": world.key, "disk-models": world.disk.model}
    odd |= {"host-batches": world.batch, "host-authorities": world.authority}
    odd["disk-catalogue"] = world.catalogue_entry
    odd |= {"saved-views": world.saved_view, "booking-requests": world.booking_request}
    odd |= {"approvals": world.policy, "approval-policies": world.policy}
    return odd[noun] if noun in odd else getattr(world, noun.removesuffix("s"))
