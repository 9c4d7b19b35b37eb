"""Several results of one text: each has its own target, tuning, state and remarks."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import
from apps.imports.selectors.imports import stored_points
from apps.imports.services import import_store, import_update
from apps.imports.tests.factories import TOOLS, create_import, sample
from apps.imports.tests.test_api import Api
from apps.runs.models import Attempt

FOREIGN = TOOLS / "tests" / "samples" / "foreign"
HEADINGS = (
    b"### \xe4\xbc\x98\xe5\x8c\x96\xe5\x89\x8d\xe6\xb5\x8b\xe8\xaf\x95\n\n",
    b"\n### \xe4\xbc\x98\xe5\x8c\x96\xe5\x90\x8e\xe6\xb5\x8b\xe8\xaf\x95\n\n",
)
BEFORE = sample("rados", "12.2--rand-before-tuning")
AFTER = sample("rados", "12.2--rand-after-tuning")


def foreign(user: User, name: str, **said: str) -> Import:
    found = ArchiveEntry("text.txt", (FOREIGN / f"{name}.txt").read_bytes())
    return create_import(user, [found], **said)


def places(imported: Import) -> list[tuple[str, str, int | None]]:
    return [
        (each.names.target, each.names.tuning, each.repeat)
        for placed in stored_points(imported).values()
        for each in placed
    ]


def stored(imported: Import, user: User) -> list[Attempt]:
    run = import_store(imported=imported, user=user).run
    assert run is not None
    return list(Attempt.objects.filter(case__run=run).order_by("case__sequence"))


def test_results_of_two_pools_are_of_two_targets(owner: User) -> None:
    imported = foreign(owner, "rados--two-pools")
    assert places(imported) == [("fast", "not stated", 1), ("slow", "not stated", 1)]
    names = [each.case.run_target.name for each in stored(imported, owner)]
    assert names == ["fast", "slow"]


def test_results_of_two_pools_have_two_targets_with_an_entered_target(owner: User) -> None:
    imported = foreign(owner, "rados--two-pools", target_name="cluster a")
    assert [target for target, _tuning, _repeat in places(imported)] == [
        *("cluster a, fast", "cluster a, slow"),
    ]


def test_result_of_one_pool_has_the_entered_target(owner: User) -> None:
    imported = foreign(owner, "rados-16--write-then-seq", target_name="cluster a")
    assert {target for target, _tuning, _repeat in places(imported)} == {"cluster a"}


def test_interrupted_call_leaves_the_other_valid(owner: User) -> None:
    cut, whole = stored(foreign(owner, "rados--one-of-two-interrupted"), owner)
    assert (cut.valid, len(cut.warnings)) == (False, 1)
    assert (whole.valid, len(whole.warnings)) == (True, 0)


@pytest.mark.parametrize("headings", [HEADINGS, (b"Before tuning:\n", b"After tuning:\n")])
def test_headings_propose_the_tuning_of_the_results_below(
    owner: User, headings: tuple[bytes, bytes]
) -> None:
    text = headings[0] + BEFORE + headings[1] + AFTER
    imported = create_import(owner, [ArchiveEntry("notes.txt", text)])
    assert [tuning for _target, tuning, _repeat in places(imported)] == ["before", "after"]
    import_update(imported=imported, user=owner, names={}, files={1: {"tuning_name": "mine"}})
    assert places(imported) == [("test", "mine", 1), ("test", "mine", 2)]


def test_api_lists_the_place_of_each_result(api: Api, owner: User) -> None:
    imported = foreign(owner, "rados--two-pools")
    (file,) = api(owner).get(f"/api/v1/imports/{imported.pk}/files/").data["results"]
    assert [each["target"] for each in file["points"]] == ["fast", "slow"]
    assert [each["target"] for each in file["becomes"]["points"]] == ["fast", "slow"]


def test_recordings_of_equal_tests_are_no_repeats(owner: User) -> None:
    recording = (
        b"[root@h ~]# iostat -x sdb 5 1\n"
        b"Device: rrqm/s wrqm/s r/s w/s rkB/s wkB/s avgrq-sz avgqu-sz await r_await w_await svctm "
        b"%util\nsdb 0 0 0.00 688.00 0.00 176128.00 512.00 54.59 93.47 0.00 93.47 1.40 96.56\n"
    )
    test = sample("fio", "3.1--randwrite-4k-qd128")
    other = test.replace(b"--runtime=300", b"--runtime=200").replace(b"pid=22050", b"pid=22060")
    text = test + b"\n" + recording + b"\n" + other + b"\n" + recording
    imported = create_import(owner, [ArchiveEntry("notes.txt", text)])
    keys = [key for row in imported.files.filter(tool="iostat") for key in row.keys]
    assert len(keys) == 2
    assert len(set(keys)) == 2
