"""`python -m benchlab.bench.people_fill FOLDER`: a small archive of imported fio results for the
row "people", in the database of the environment; what there is to ask for, as a document on stdout.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
import django

django.setup()

from apps.accounts.models import User  # noqa: E402
from apps.accounts.services import token_create  # noqa: E402
from apps.imports.archives import ArchiveBudget  # noqa: E402
from apps.imports.limits import most_bytes  # noqa: E402
from apps.imports.sending.folders import walked  # noqa: E402
from apps.imports.services import ImportDraft, import_begin, import_store  # noqa: E402
from apps.runs.models import Case, Run  # noqa: E402
from benchlab.bench.import_folder import make_folder  # noqa: E402
from benchlab.bench.sessions import session_key  # noqa: E402

RUNS, FILES, LARGE = 40, 12, 600
SESSIONS = 50


def main(folder: Path) -> None:
    user = User.objects.order_by("pk")[0]
    for number in range(RUNS + 1):
        files = LARGE if number == RUNS else FILES
        run_of_files(user, folder / f"run-{number}", files)
    _token, secret = token_create(user=user, name="people")
    runs = list(Run.objects.order_by("pk").values_list("pk", flat=True))
    cases = list(Case.objects.order_by("-pk").values_list("pk", flat=True)[:: LARGE // 10])
    told = {"runs": runs[:-1], "large": runs[-1], "cases": cases, "token": secret}
    print(json.dumps(told | {"sessions": [session_key(user) for _number in range(SESSIONS)]}))


def run_of_files(user: User, folder: Path, files: int) -> None:
    """One import becomes one run."""
    folder.mkdir()
    make_folder(folder, files)
    most = most_bytes()
    draft = ImportDraft(name=folder.name, host_name=f"bench-{files % 7}")
    found = walked([folder], most)
    budget = ArchiveBudget(most, in_all=False)
    imported = import_begin(user=user, draft=draft, files=found, budget=budget, at_once=True)
    import_store(imported=imported, user=user, at_once=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
