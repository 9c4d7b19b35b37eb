"""What a host without Python is advised, by its os-release."""

from __future__ import annotations

import pytest

from apps.remote.python_packages import no_python_error


@pytest.mark.parametrize(
    ("os_release", "expected"),
    [
        ('ID="centos" VERSION_ID="7"', "yum install python3"),
        ("ID=ubuntu VERSION_ID=14.04", "3.4"),
        ('VERSION_ID="12" ID=debian', "apt-get install python3"),
        ('ID="sles" VERSION_ID="12.5"', "3.4"),
        ("ID=alpine VERSION_ID=3.20.1", "apk add python3"),
    ],
)
def test_distribution_decides_the_command(os_release: str, expected: str) -> None:
    assert expected in no_python_error("node1", os_release).message


@pytest.mark.parametrize("os_release", ["", "ID=own VERSION_ID=1", "ID=$(reboot)", "nonsense"])
def test_unknown_system_has_no_command(os_release: str) -> None:
    text = no_python_error("node1", os_release).message
    assert "install python3" in text.lower()
    assert "reboot" not in text
