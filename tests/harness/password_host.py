"""A host in a box whose root has a password."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from .netns_host import NetnsHost

MakeBox = Callable[..., NetnsHost]
PASSWORD = "correct horse 'battery' $taple"
CONFIG = """LogLevel DEBUG1
Match User root
PasswordAuthentication {password}
KbdInteractiveAuthentication no
AuthorizedKeysFile .ssh/authorized_keys
"""


def password_box(make_box: MakeBox, *, password: str) -> NetnsHost:
    """A host whose root has the password."""
    box = make_box(config=CONFIG.format(password=password))
    argv = ["openssl", "passwd", "-6", "-stdin"]
    digest = subprocess.run(argv, input=PASSWORD, check=True, capture_output=True, text=True)
    (box.folder / "shadow").write_text(f"root:{digest.stdout.strip()}:19000:0:99999:7:::\n")
    return box
