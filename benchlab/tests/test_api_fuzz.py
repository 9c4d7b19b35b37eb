"""Generated requests, odd and wrong ones too, never break the API: no 5xx, only documented answers.

The seed is fixed, so the requests are the same in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from apps.accounts.models import ApiToken, User
from apps.accounts.services import token_create
from apps.inventory.api import HostViewSet
from benchlab.tests.api_world import World
from tests.harness.api_contract import DOCUMENT

EXAMPLES = 3
MORE_EXAMPLES = 30
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
SCHEMA = schemathesis.openapi.from_path(DOCUMENT)
FOUND: list[Any] = [result.ok() for result in SCHEMA.get_all_operations()]  # type: ignore[union-attr] # an invalid document fails here
OPERATIONS = {f"{found.method.upper()} {found.path}": found for found in FOUND}
bounded = settings(
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def owner(world: World) -> User:
    return world.owner


@pytest.fixture
def headers(admin: User) -> dict[str, str]:
    token, secret = token_create(user=admin, name="fuzz", may_wipe=True, days=1)
    # Each request would write this anew: what it changes is taken back.
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=timezone.now())
    # The client of the test reads bodies as they come.
    return {"Authorization": f"Token {secret}", "Accept-Encoding": "identity"}


@pytest.fixture
def application() -> Iterator[Callable[..., Any]]:
    """The whole of benchlab as a server calls it, which leaves the test's own transaction open."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.mark.parametrize(
    "examples", [EXAMPLES, pytest.param(MORE_EXAMPLES, marks=pytest.mark.extended)]
)
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_answer_is_documented(
    name: str,
    examples: int,
    world: World,
    headers: dict[str, str],
    application: Callable[..., Any],
) -> None:
    @seed(20260301)
    @settings(bounded, max_examples=examples)
    @given(case=good_and_bad(OPERATIONS[name]))
    def answers(case: Any) -> None:
        _aim(case, world)
        with transaction.atomic():
            response = case.call(app=application, headers=headers)
            transaction.set_rollback(True)
        case.validate_response(response, checks=CHECKS)

    answers()


def good_and_bad(operation: Any) -> Any:
    """Requests as the document wants them, and, where something can be wrong, wrong ones."""
    good = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if not (operation.body or operation.path_parameters or operation.query):
        return good
    return good | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)


def _aim(case: Any, world: World) -> None:
    """Every second whole number in an address becomes that of a row that is there."""
    noun = case.path.split("/")[3]
    row = getattr(world, {"series": "series"}.get(noun, noun.rstrip("s")), None)
    if noun == "directories":
        row = world.directory
    drawn = case.path_parameters.get("id")
    if row is not None and isinstance(drawn, int) and drawn % 2 == 0:
        case.path_parameters["id"] = row.pk


def test_a_defect_would_be_found(
    world: World,
    headers: dict[str, str],
    application: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_args: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(HostViewSet, "filter_queryset", broken)
    with pytest.raises(FailureGroup, match="Server error"):
        test_every_answer_is_documented("GET /api/v1/hosts/", EXAMPLES, world, headers, application)
