"""Parameters of rados bench in a plan."""

import pytest

from apps.tools.errors import ParamsError
from apps.tools.params import workload_key
from apps.tools.rados.params import RadosParams


def test_the_defaults_are_the_tool_s_own() -> None:
    params = RadosParams.from_raw({})
    assert (params.bs, params.threads) == (4 * 1024**2, 16)
    assert params.steps == ("write", "seq", "rand")
    assert params.describe() == "write+seq+rand 4 MiB x16"


def test_people_write_sizes_and_durations() -> None:
    params = RadosParams.from_raw({"bs": "64k", "object_size": "1M", "seconds": "2m"})
    assert (params.bs, params.object_size, params.seconds) == (65536, 1048576, 120)
    assert "objects of 1 MiB" in params.describe()


def test_writing_may_last_longer() -> None:
    params = RadosParams.from_raw({"seconds": 10, "write_seconds": 30})
    assert [params.lasts(step) for step in params.steps] == [30, 10, 10]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"operations": "seq+write"}, "operations"),
        ({"bs": "64k", "object_size": "100k"}, "object_size"),
        ({"bs": "64k", "object_size": "4k"}, "object_size"),
        ({"bs": "91M"}, "bs"),
        ({"threads": 0}, "threads"),
        ({"operations": "write", "write_seconds": 5}, "write_seconds"),
        ({"operations": "write", "verify": False}, "verify"),
        ({"pool": "rbd"}, "pool"),
    ],
)
def test_what_does_not_fit_has_a_sentence(raw: dict[str, object], name: str) -> None:
    with pytest.raises(ParamsError) as caught:
        RadosParams.from_raw(raw)
    assert set(caught.value.errors) == {name}


def test_the_workload_s_key_stays() -> None:
    assert workload_key("rados", RadosParams.from_raw({})) == "b74490cd7bbc3384"
