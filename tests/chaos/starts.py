"""Every start of fio on a host, written down by a wrapper in its place.

The wrapper also makes fio's result file itself and links it: our link keeps the bytes when the
agent deletes its own.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

from tests.harness.netns_host import NetnsHost

RESULT = "result.json"
# A job's folder, which is where its commands begin, is named after the attempt.
WRAPPER = """#!/bin/sh
case "$*" in *--output={result}*) ;; *) exec "{real}" "$@" ;; esac
attempt=$(basename "$PWD")
echo "$attempt" >> "{log}"
: >> {result} && ln {result} "{copies}/$attempt"
exec "{real}" "$@"
"""


class Starts:
    """The wrapper of one box."""

    def __init__(self, box: NetnsHost) -> None:
        """Links are made on the file system of the agent's folder, which has to be there."""
        self.box = box
        folder = box.folder / "starts"
        folder.mkdir()
        self.copies = box.base / "copies"
        self.copies.mkdir()
        self.log = folder / "log"
        self.log.touch()
        fio = shutil.which("fio")
        assert fio, "fio is not installed"
        self.place, self.real = Path(fio).resolve(), folder / "fio.real"
        shutil.copy2(fio, self.real)
        self.wrapper = folder / "fio"
        text = WRAPPER.format(real=self.real, log=self.log, copies=self.copies, result=RESULT)
        self.wrapper.write_text(text)
        self.wrapper.chmod(0o755)

    def install(self) -> None:
        """Put the wrapper in fio's place in the box; again after each start of the box."""
        self.box.inside("mount", "--bind", str(self.wrapper), str(self.place))

    def counted(self) -> Counter[str]:
        """How often fio was started for each attempt."""
        return Counter(self.log.read_text().split())

    def written(self, attempt: str) -> bytes:
        """What fio wrote into its result file for an attempt; empty when it never began."""
        copy = self.copies / attempt
        return copy.read_bytes() if copy.exists() else b""

    def forget(self) -> None:
        """Drop the copies of earlier rounds."""
        for file in self.copies.iterdir():
            file.unlink()
