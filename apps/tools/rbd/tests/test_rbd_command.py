"""The commands of a test of an image: in which order, on which host, and what is refused."""

import pytest

from apps.tools.errors import ParamsError, PointError
from apps.tools.procedure import Command
from apps.tools.rbd import TOOL
from apps.tools.rbd.params import RbdParams
from apps.tools.targets import PoolPlan, ToolTarget

FOUND = ToolTarget("pool", "test")
MADE = ToolTarget("pool", "test", make=PoolPlan(pg_num=32))
CODED = ToolTarget("pool", "test", make=PoolPlan(k=2, m=1))
IMAGE = "test/benchlab-{attempt}-{client}"


def commands(target: ToolTarget = FOUND, **raw: object) -> dict[str, Command]:
    """By role; a role comes once."""
    asked = TOOL.build_procedure(RbdParams.from_raw(raw), target).commands
    found = {command.role: command for command in asked}
    assert len(found) == len(asked)
    return found


def test_an_image_is_made_filled_and_measured_by_each_host() -> None:
    found = commands(image_size="2G")
    stages = [(role, found[role].stage, found[role].on) for role in ("make-image", "fill", "bench")]
    assert stages == [("make-image", 1, "each"), ("fill", 2, "each"), ("bench", 3, "each")]
    make = ("@rbd-image", "make", "test", "{attempt}", "{client}", f"size={2 * 1024**3}")
    assert found["make-image"].argv == make
    assert found["fill"].argv[-1] == str(2 * 1024**3)


def test_the_options_are_rbd_s_own() -> None:
    found = commands(mode="readwrite", reads=70, bs="16k", threads=4, size="64M", object_size="1M")
    head = ("rbd", "bench", IMAGE, "--io-type", "readwrite", "--io-pattern", "rand")
    tail = ("--io-threads", "4", "--io-total", str(64 * 1024**2), "--rw-mix-read", "70")
    assert found["bench"].argv == (*head, "--io-size", "16384", *tail)
    assert found["announce-bench"].argv == ("echo", "2/2:", *found["bench"].argv)
    assert found["make-image"].argv[-1] == f"object_size={1024**2}"
    assert "--rw-mix-read" not in commands(mode="read").get("bench", found["fill"]).argv


def test_only_what_writes_fills_the_pool() -> None:
    assert (commands()["fill"].fills, commands()["bench"].fills) == ("test", "test")
    assert commands(mode="read")["bench"].fills == ""


def test_an_image_that_is_never_written_is_measured_at_once() -> None:
    found = commands(fill=False)
    assert "fill" not in found
    assert found["announce-bench"].argv[1] == "1/1:"


@pytest.mark.parametrize(("target", "role"), [(FOUND, "delete-images"), (MADE, "delete")])
def test_tidying_is_an_act_of_its_own_and_the_last(target: ToolTarget, role: str) -> None:
    found = commands(target)
    assert [name for name, command in found.items() if command.always] == [role]
    assert found[role].stage > max(c.stage for name, c in found.items() if name != role)


def test_what_is_written_is_known() -> None:
    raw = {"mode": "readwrite", "reads": 75, "size": "100M", "image_size": "200M"}
    asked = TOOL.build_procedure(RbdParams.from_raw(raw), FOUND)
    assert asked.bytes_written == 225 * 1024**2


@pytest.mark.parametrize("target", [CODED, ToolTarget("disk", "x")])
def test_what_can_hold_no_image_is_refused(target: ToolTarget) -> None:
    with pytest.raises(ParamsError, match=r"erasure|works on Ceph pools"):
        commands(target)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"mode": "read", "fill": False}, "fill"),
        ({"image_size": "1500k"}, "image_size"),
        ({"object_size": "5000"}, "object_size"),
    ],
)
def test_contradictions_are_reported(raw: dict[str, object], name: str) -> None:
    with pytest.raises(ParamsError) as refused:
        RbdParams.from_raw(raw)
    assert list(refused.value.errors) == [name]


def test_a_sweep_leaves_out_blocks_larger_than_the_image() -> None:
    with pytest.raises(PointError):
        RbdParams.from_raw({"bs": "4M", "image_size": "1M"})
