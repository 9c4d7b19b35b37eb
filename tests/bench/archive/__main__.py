"""`python -m tests.bench.archive fill CASES [HOSTS]`: fill an empty database of the
environment, and print as JSON the keys of what it holds. `... session`: print the key of a new
login session.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
import django

django.setup()

from django.test import Client  # noqa: E402

from apps.accounts.models import User  # noqa: E402
from apps.runs.models import Case, Run  # noqa: E402
from tests.bench.archive.copies import run_sql  # noqa: E402
from tests.bench.archive.fill import Filled, fill  # noqa: E402
from tests.bench.archive.questions import questions  # noqa: E402

SMALL = 60


def main(verb: str, *numbers: str) -> None:
    owner = User.objects.order_by("pk")[0]
    if verb == "session":
        print(json.dumps(session(owner)))
        return
    filled = fill(owner, *map(int, numbers), aside=True)
    run_sql("VACUUM (ANALYZE)")
    print(json.dumps({**keys(filled), "lists": questions(filled)}))


def keys(filled: Filled) -> dict[str, Any]:
    """Keys of what pages and lists are about."""
    small = Run.objects.filter(state="succeeded", case_count__range=(20, SMALL)).order_by("-pk")
    return {
        "cases": Case.objects.count(),
        "large": filled.large,
        "middle": filled.middle,
        "small": next(run.pk for run in small if run.tunings.count() > 1),
        "case": Case.objects.filter(run=filled.large, state="succeeded").order_by("pk")[0].pk,
        "workload": filled.lab.workloads["fio"][0].key,
    }


def session(user: User) -> str:
    """The key of a new session in which the user is logged in."""
    client = Client()
    client.force_login(user)
    return str(client.session.session_key)


if __name__ == "__main__":
    main(*sys.argv[1:])
