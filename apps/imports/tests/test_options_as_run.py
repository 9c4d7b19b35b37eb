"""Options as they were run complete what an output leaves out, and never contradict it. The sample
is of fio 3.33, run with COMMAND on a file, whose JSON has none of the flags.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import ImportFile
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import, sample
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt
from apps.tools.params import workload_key
from apps.tools.registry import TOOLS
from apps.tools.step_import.commands import read_calls

COMMAND = (
    "fio --bs=4k --ioengine=libaio --iodepth=8 --direct=1 --rw=randwrite --time_based --runtime=1 "
    "--refill_buffers --norandommap --randrepeat=0 --group_reporting --name=t --size=16M "
    "--filename=/dev/vdb"
)
JOB_FILE = """[global]
bs=4k
ioengine=libaio
iodepth=8
direct=1
time_based
runtime=1
refill_buffers
norandommap
randrepeat=0
group_reporting
size=16M
[r]
rw=randread
[t]
stonewall
rw=randwrite
[t2]
stonewall
rw=randwrite
thread
"""
SAMPLE = Path(__file__).parent / "samples" / "fio-3.33--flags-left-out.json"


def file_of(user: User, options: str) -> ImportFile:
    found = ArchiveEntry("result.json", SAMPLE.read_bytes())
    return create_import(user, [found], job_options=options).files.get()


@pytest.mark.parametrize("options", [COMMAND, JOB_FILE])
def test_a_result_is_filed_under_all_of_its_parameters(owner: User, options: str) -> None:
    row = file_of(owner, options)
    (point,) = row.points
    plugin = TOOLS["fio"]
    assert plugin.params
    (step,) = read_calls(COMMAND)
    whole = plugin.params.from_raw(dict(step.params))
    assert (point.exact, point.key) == (True, workload_key("fio", whole))
    run = import_store(imported=row.batch, user=owner).run
    assert run is not None
    stored = run.cases.get()
    assert stored.workload.key == point.key
    assert stored.params["time_based"] is True


def test_without_them_it_is_not(owner: User) -> None:
    (point,) = file_of(owner, "").points
    assert (point.exact, "time_based" in point.params) == (False, False)


def test_options_of_another_test_are_not_used(owner: User) -> None:
    row = file_of(owner, COMMAND.replace("--bs=4k", "--bs=8k"))
    assert not row.points[0].exact
    assert row.path_params == {}
    assert row.warnings[0].startswith("the options as they were run are not used here")


def test_what_is_no_test_is_refused(owner: User) -> None:
    with pytest.raises(ServiceError) as caught:
        file_of(owner, "--time_based --thread")
    assert list(caught.value.fields) == ["job_options"]


def test_the_form_that_sends_files_asks_for_them_and_the_preview_shows_them(
    owner: User, owner_client: Client
) -> None:
    assert 'name="job_options"' in owner_client.get(reverse("import_new")).content.decode()
    imported = file_of(owner, COMMAND).batch
    page = owner_client.get(reverse("import_detail", args=[imported.pk])).content.decode()
    assert 'name="job_options"' not in page
    assert "--refill_buffers" in page


LINES = (
    "fio --bs=4k --ioengine=libaio --iodepth=128 --direct=1 --rw=randwrite --time_based "
    "--runtime=300 --name=fio-write --size=1G --filename=/dev/vdb\n"
    "fio --bs=4k --ioengine=libaio --iodepth=128 --direct=1 --rw=randread --time_based "
    "--runtime=200 --name=fio-write --size=2G --filename=/dev/vdb\n"
    "fio --bs=4k --ioengine=libaio --iodepth=128 --direct=1 --rw=randread "
    "--runtime=200 --name=other --size=2G --filename=/dev/vdb\n"
)


def two_results() -> ArchiveEntry:
    names = ("3.1--randwrite-4k-qd128", "3.1--randread-4k-qd128")
    outputs = [sample("fio", name).split(b"\n", 1)[1] for name in names]  # without the commands
    return ArchiveEntry("both.txt", b"\n".join(outputs))


def test_each_result_of_a_text_takes_the_options_that_fit_it(owner: User) -> None:
    row = create_import(owner, [two_results()], job_options=LINES).files.get()
    write, read = row.points
    assert (write.params["rw"], write.params["size"], write.params["runtime"]) == (
        *("randwrite", 1024**3, 300),
    )
    assert (read.params["rw"], read.params["size"], read.params["runtime"]) == (
        *("randread", 2 * 1024**3, 200),
    )
    assert (write.exact, read.exact) == (True, True)
    done = import_store(imported=row.batch, user=owner)
    assert done.run is not None
    for attempt in Attempt.objects.filter(case__run=done.run):
        before = attempt.measurements.get().iops
        attempt_reparse(attempt=attempt)
        assert attempt.measurements.get().iops == before


def test_what_fits_several_tests_takes_what_they_have_in_common(owner: User) -> None:
    lines = LINES.replace("--name=fio-write", "--name=unlike")
    _write, read = create_import(owner, [two_results()], job_options=lines).files.get().points
    assert (read.params["size"], read.params["runtime"]) == (2 * 1024**3, 200)
    assert "time_based" not in read.params


def test_remark_names_the_result_that_no_options_fit(owner: User) -> None:
    only = LINES.splitlines()[0]
    row = create_import(owner, [two_results()], job_options=only).files.get()
    assert [len(point.warnings) for point in row.points] == [0, 1]
    assert not row.warnings
