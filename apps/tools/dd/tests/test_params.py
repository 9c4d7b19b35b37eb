"""Parameters of dd in a plan."""

import pytest

from apps.tools.dd.params import DdParams
from apps.tools.errors import ParamsError


def test_the_defaults_write_directly() -> None:
    params = DdParams.from_raw({})
    assert params.canonical() == {
        **{"rw": "write", "bs": 1024**2, "size": 1024**3, "direct": True},
        **{"sync": False, "dsync": False, "fdatasync": False},
    }
    assert params.describe() == "sequential write 1 MiB, in 1 GiB"
    assert params.count == 1024


def test_a_later_parameter_is_no_part_of_the_identity_until_it_is_set() -> None:
    assert DdParams.from_raw({"fsync": False}).canonical() == DdParams.from_raw({}).canonical()
    assert DdParams.from_raw({"fsync": True}).canonical()["fsync"] is True


def test_what_people_write_becomes_canonical() -> None:
    params = DdParams.from_raw({"bs": "4k", "size": "1228800000", "direct": "no", "dsync": 1})
    assert (params.bs, params.size, params.direct, params.dsync) == (4096, 1228800000, False, True)
    assert params.count == 300_000


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"bs": "4k", "size": "10000"}, "size"),
        ({"bs": 1000, "size": 1_000_000}, "bs"),
        ({"sync": True, "dsync": True}, "dsync"),
        ({"rw": "read", "fdatasync": True}, "fdatasync"),
        ({"rw": "read", "sync": True}, "sync"),
        ({"rw": "read", "fsync": True}, "fsync"),
        ({"fdatasync": True, "fsync": True}, "fsync"),
        ({"rw": "copy"}, "rw"),
        ({"of": "/etc/passwd"}, "of"),
        ({"bs": 0}, "bs"),
    ],
)
def test_contradictions_get_a_sentence(raw: dict[str, object], name: str) -> None:
    with pytest.raises(ParamsError) as caught:
        DdParams.from_raw(raw)
    assert caught.value.errors[name].endswith(".")
