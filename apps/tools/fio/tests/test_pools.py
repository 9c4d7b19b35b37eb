"""fio's engine rbd: an image for each client host, made, filled where it is read, and removed."""

from __future__ import annotations

from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.fio import TOOL
from apps.tools.fio.params import FioParams
from apps.tools.pasted_commands.call import Call
from apps.tools.procedure import Command, Procedure
from apps.tools.targets import PoolPlan, ToolTarget

MIB = 1024**2
POOL = ToolTarget("pool", "images")


def plan(target: ToolTarget = POOL, **raw: Any) -> Procedure:
    asked = {"ioengine": "rbd", "rw": "randwrite", "size": "64M", "runtime": 5, **raw}
    return TOOL.build_procedure(FioParams.from_raw(asked), target)


def commands(target: ToolTarget = POOL, **raw: Any) -> dict[str, Command]:
    return {command.role: command for command in plan(target, **raw).commands}


def test_engine_options_follow_the_engine() -> None:
    argv = commands()["main"].argv
    image = ("--ioengine=rbd", "--pool=images", "--rbdname=benchlab-{attempt}-{client}")
    assert argv[2:5] == image
    assert sum(word.startswith("--ioengine") for word in argv) == 1
    assert not any(word.startswith("--filename") for word in argv)


@pytest.mark.parametrize(
    ("raw", "filled"),
    [
        ({"rw": "randwrite"}, False),
        ({"rw": "randwrite", "overwrite": True}, True),
        ({"rw": "randread"}, True),
        ({"rw": "randrw"}, True),
    ],
)
def test_what_is_read_was_written_before(raw: dict[str, Any], filled: bool) -> None:
    assert ("fill" in commands(**raw)) is filled


def test_a_test_that_reads_cannot_write() -> None:
    found = commands(rw="read")["main"]
    assert "--readonly" in found.argv
    assert found.fills == ""
    assert commands()["main"].fills == "images"


def test_the_image_holds_the_whole_address_space() -> None:
    size = commands(size="10M", offset="512k")["make-image"].argv[-1]
    assert size == f"size={11 * MIB}"


def test_several_jobs_share_the_image() -> None:
    assert commands(numjobs=2)["make-image"].argv[-1] == "shared=1"


def test_all_images_are_removed_last_and_always() -> None:
    made = ToolTarget("pool", "images", make=PoolPlan())
    for target, role in ((POOL, "delete-images"), (made, "delete")):
        found = commands(target)
        assert [name for name, one in found.items() if one.always] == [role]
        assert found[role].stage == max(one.stage for one in found.values())


def test_no_page_cache_stands_between() -> None:
    assert "@drop-caches" not in [one.argv[0] for one in plan(direct=False).commands]


@pytest.mark.parametrize(
    ("target", "raw", "said"),
    [
        (POOL, {"size": None}, "how large the image"),
        (POOL, {"ioengine": "libaio"}, "needs its engine rbd"),
        (ToolTarget("disk", "wwn:1", 1 << 40), {}, "works on Ceph pools"),
        (ToolTarget("directory", "/scratch"), {}, "works on Ceph pools"),
        (ToolTarget("pool", "p", make=PoolPlan(k=2, m=1)), {}, "erasure coded"),
        (POOL, {"nrfiles": 2}, "for a directory"),
    ],
)
def test_parameters_that_do_not_fit_a_pool_are_errors(
    target: ToolTarget, raw: dict[str, Any], said: str
) -> None:
    with pytest.raises(ParamsError, match=said):
        plan(target, **raw)


@pytest.mark.parametrize(
    ("engine", "kinds"),
    [
        (None, ("disk", "directory")),
        ("rbd", ("pool",)),
        ("libaio, rbd", ("disk", "directory", "pool")),
        (["io_uring"], ("disk", "directory")),
    ],
)
def test_the_engine_says_which_targets_a_step_uses(engine: Any, kinds: tuple[str, ...]) -> None:
    assert TOOL.targets_for({"ioengine": engine} if engine else {}) == kinds


def test_a_pasted_call_becomes_a_step_on_a_pool() -> None:
    text = "fio --name=a --ioengine=rbd --pool=p --rbdname=i --rw=randwrite --bs=4k --size=1G"
    pasted = TOOL.parse_command(Call(tuple(text.split())))
    (step,) = pasted.steps
    assert step.params["ioengine"] == "rbd"
    assert {each.option for each in pasted.notes if each.kind == "left"} >= {"pool=p", "rbdname=i"}
