"""The call of a tool above its output in a text states the options that the output leaves out."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import
from apps.imports.schemas.points import PreviewPoint
from apps.imports.services import import_store
from apps.imports.tests.factories import TOOLS, create_import, sample
from apps.imports.tests.test_api import Api
from apps.imports.tests.test_options_as_run import COMMAND, SAMPLE
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt

# Both begin with the command that was run.
FOREIGN = TOOLS / "tests" / "samples" / "foreign"
TEXT = sample("fio", "3.1--randwrite-4k-qd128") + sample("fio", "3.1--read-4m-qd64")
GIB = 1024**3


def noted(user: User, text: bytes = TEXT) -> Import:
    return create_import(user, [ArchiveEntry("notes.txt", text)])


def points(imported: Import) -> list[PreviewPoint]:
    return list(imported.files.get().points)


def test_each_result_takes_the_options_of_the_call_above_it(owner: User) -> None:
    write, read = points(noted(owner))
    assert (write.params["size"], write.params["time_based"], write.exact) == (GIB, True, True)
    assert (read.params["size"], read.params["time_based"], read.exact) == (100 * GIB, False, True)
    assert write.command_line == 1
    assert read.command_line > write.lines[1] if write.lines else False


def test_stored_options_of_calls_survive_a_later_reading(owner: User) -> None:
    run = import_store(imported=noted(owner), user=owner).run
    assert run is not None
    for attempt in Attempt.objects.filter(case__run=run):
        before = attempt.measurements.get().iops
        attempt_reparse(attempt=attempt)
        assert attempt.measurements.get().iops == before
        assert attempt.case.params["direct"] is True


def test_call_that_contradicts_the_output_is_not_used(owner: User) -> None:
    write, _read = points(noted(owner, TEXT.replace(b"--bs=4k", b"--bs=8k")))
    assert (write.exact, write.command_line, len(write.warnings)) == (False, 0, 1)
    assert "line 1 " in write.warnings[0]


def test_nearest_call_above_counts(owner: User) -> None:
    other = b"# fio --rw=randwrite --bs=4k --ioengine=libaio --iodepth=128 --name=a --size=9G\n"
    write, _read = points(noted(owner, other + TEXT))
    assert (write.params["size"], write.command_line) == (GIB, 2)


def test_call_that_is_not_understood_leaves_the_options_unknown(owner: User) -> None:
    other = b"# fio --rw=randwrite --bs=4k --ioengine=libaio --iodepth=128 --name=a --size=9G\n"
    text = TEXT.replace(b"--size=1G", b"--size=1G --zonemode=unheard --unheard=1")
    write, _read = points(noted(owner, other + text))
    assert ("size" in write.params, write.command_line) == (False, 0)


def test_each_json_document_takes_the_options_of_the_call_above_it(owner: User) -> None:
    document = json.loads(SAMPLE.read_bytes())
    text = f"## before\n$ {COMMAND} --output-format=json\n{json.dumps(document, indent=1)}\n"
    (document["jobs"][0]["write"]["total_ios"], document["timestamp"]) = (7, 9)
    other = COMMAND.replace("--randrepeat=0", "--randrepeat=0 --thread")
    text += f"## after\n$ {other} --output-format=json\n{json.dumps(document, indent=1)}\n"
    first, second = points(noted(owner, text.encode()))
    assert (first.params["thread"], second.params["thread"]) == (False, True)
    assert (first.tuning, second.tuning) == ("before", "after")


@pytest.mark.parametrize("way", ["page", "api"])
def test_owner_takes_the_options_back(
    owner: User, owner_client: Client, api: Api, way: str
) -> None:
    imported = noted(owner)
    if way == "page":
        page = owner_client.get(f"/imports/{imported.pk}/").content.decode()
        assert 'name="1-ignore_commands"' in page
        said = {"name": "x", "1-selected": "on", "1-tuning_name": "", "1-ignore_commands": "on"}
        owner_client.post(f"/imports/{imported.pk}/names/", said)
    else:
        client: APIClient = api(owner)
        change = {"files": [{"number": 1, "ignore_commands": True}]}
        client.patch(f"/api/v1/imports/{imported.pk}/", change)
    imported.refresh_from_db()
    write, _read = points(imported)
    assert ("size" in write.params, write.exact, write.command_line) == (False, False, 0)
    page = owner_client.get(f"/imports/{imported.pk}/").content.decode()
    assert 'name="1-ignore_commands"' in page


def test_viewer_and_stranger_take_nothing_back(
    owner: User, viewer: User, stranger: User, api: Api
) -> None:
    imported = noted(owner)
    change = {"files": [{"number": 1, "ignore_commands": True, "keep_duplicates": True}]}
    for user in (viewer, stranger):
        answer = api(user).patch(f"/api/v1/imports/{imported.pk}/", change)
        assert answer.status_code == 403
    file = imported.files.get()
    assert (file.ignore_commands, file.keep_duplicates) == (False, False)


def test_parameters_that_a_plan_prepares_stay_unknown(owner: User) -> None:
    text = (FOREIGN / "rbd--two-images.txt").read_bytes()
    for point in points(noted(owner, text)):
        assert (point.exact, "image_size" in point.params) == (False, False)
