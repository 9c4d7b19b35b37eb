"""`python -m benchlab.bench.archive fill CASES`: fill the database of the environment; what to ask
of it, as a document on stdout. `... ask ROUNDS`: ask what stands on stdin, and print what it took.
`... session 0`: the key of a session of the first user.
"""

from __future__ import annotations

import json
import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
import django

django.setup()

from apps.accounts.models import User  # noqa: E402
from benchlab.bench.archive.asking import ask  # noqa: E402
from benchlab.bench.archive.copies import run_sql  # noqa: E402
from benchlab.bench.archive.fill import fill  # noqa: E402
from benchlab.bench.archive.questions import questions  # noqa: E402
from benchlab.bench.sessions import session_key  # noqa: E402


def main(verb: str, number: int) -> None:
    if verb == "fill":
        filled = fill(User.objects.order_by("pk")[0], number)
        run_sql("VACUUM (ANALYZE)")
        asked = {"lists": questions(filled), "large": filled.large, "middle": filled.middle}
        print(json.dumps(asked))
    elif verb == "session":
        print(json.dumps(session_key(User.objects.order_by("pk")[0])))
    else:
        print(json.dumps(ask(json.load(sys.stdin), number)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
