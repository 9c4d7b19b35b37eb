"""Parameters of iperf in a plan, and what goes together."""

import pytest

from apps.tools.errors import ParamsError
from apps.tools.iperf.params import IperfParams


def test_the_defaults_are_a_ten_second_tcp_test_with_iperf3() -> None:
    params = IperfParams.from_raw({})
    assert params.describe() == "iperf3 TCP forward"
    assert params.listens_on == 5201
    assert IperfParams.from_raw({"program": "iperf2"}).listens_on == 5001
    assert IperfParams.from_raw({"port": "6900"}).listens_on == 6900


def test_a_rate_is_in_millions_of_bits() -> None:
    params = IperfParams.from_raw({"protocol": "udp", "rate": 250, "streams": 2})
    assert params.bits == 250_000_000
    assert params.describe() == "iperf3 UDP forward, 2 streams, 250 Mbit/s"


def test_label_contains_all_parameters() -> None:
    raw = {"window": "4M", "length": "128k", "mss": 1448, "congestion": "bbr", "zero_copy": "yes"}
    label = IperfParams.from_raw(raw | {"direction": "bidirectional"}).describe()
    assert label == (
        "iperf3 TCP bidirectional, window 4 MiB, length 128 KiB, MSS 1448, bbr, zero-copy"
    )


@pytest.mark.parametrize(
    ("raw", "name", "sentence"),
    [
        ({"protocol": "udp"}, "rate", "UDP needs a rate"),
        ({"protocol": "udp", "rate": 1, "mss": 1400}, "mss", "Only TCP"),
        ({"protocol": "udp", "rate": 1, "congestion": "bbr"}, "congestion", "Only TCP"),
        ({"protocol": "udp", "rate": 1, "length": "128k"}, "length", "65507 bytes at most"),
        ({"program": "iperf2", "omit": 1}, "omit", "choose iperf3"),
        ({"program": "iperf2", "zero_copy": True}, "zero_copy", "choose iperf3"),
        ({"program": "iperf2", "protocol": "udp", "rate": 0}, "rate", "above 0"),
        ({"program": "iperf"}, "program", "Choose one of iperf3, iperf2"),
        ({"congestion": "cubic; reboot"}, "congestion", "Choose one of"),
        ({"port": 80}, "port", "At least 1024"),
        ({"streams": 129}, "streams", "At most 128"),
        ({"window": "2G"}, "window", "At most"),
        ({"host": "10.0.0.1"}, "host", "no such parameter"),
    ],
)
def test_what_does_not_go_together_is_refused(
    raw: dict[str, object], name: str, sentence: str
) -> None:
    with pytest.raises(ParamsError) as refused:
        IperfParams.from_raw(raw)
    assert sentence in refused.value.errors[name]
