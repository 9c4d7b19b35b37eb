"""Migrations in half of the time.

Each of their steps makes every model anew that refers to the one it changes, 7,400 in all, with new
fields. Django makes a new field of what it asks the old one that it was made from; to copy the old
one is as good (test_migrating.py) and costs a tenth.

    python -m tests.harness.migrating      # as manage.py migrate
"""

from __future__ import annotations

import contextlib
import copy
import gc
import os
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from django.db.models import Field

from tests.harness.garbage import THRESHOLDS

django_clone = Field.clone


@contextlib.contextmanager
def quick_copies() -> Iterator[None]:
    """Migrations copy fields meanwhile."""
    with patch.object(Field, "clone", copied):
        yield


def copied(field: Field[Any, Any]) -> Any:
    """A new field like this one, of no model."""
    # One of a model, or with a field inside, belongs to what it came from.
    if hasattr(field, "model") or hasattr(field, "base_field"):
        return django_clone(field)
    made = copy.deepcopy(field)
    # Kept once it was asked for, before the models were there that names of models stand for.
    vars(made).pop("related_model", None)
    # A model's fields stand in the order in which they were made.
    made.creation_counter = Field.creation_counter
    Field.creation_counter += 1
    return made


def main() -> None:
    """Migrate the database of DATABASE_URL."""
    import django
    from django.core.management import call_command

    gc.set_threshold(*THRESHOLDS)
    gc.enable()
    django.setup()
    with quick_copies():
        call_command("migrate", verbosity=0)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
    main()
