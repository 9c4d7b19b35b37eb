"""A small file system of its own, over a loop device, that faults may fill or break."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.harness.loops import attach, detach

CORRECTED = 1
"""The highest exit code of e2fsck(8) after which the file system is in order."""


class Storage:
    """An ext4 of `mebibytes`, mounted at `place`. On an error it turns read-only, as most hosts'
    file systems are set up to.
    """

    def __init__(self, place: Path, image: Path, mebibytes: int) -> None:
        self.place = place
        place.mkdir(parents=True)
        self.image = image
        with image.open("wb") as file:
            file.truncate(mebibytes << 20)
        self.device = attach(image)
        _run("mkfs.ext4", "-q", self.device)
        self.mount()

    def mount(self) -> None:
        """Mount it where it belongs."""
        _run("mount", "-o", "errors=remount-ro", self.device, str(self.place))

    def fill(self) -> None:
        """Take every byte there is (ext4's reserve too, as root)."""
        block = bytes(1 << 16)
        try:
            with self._filler.open("wb", buffering=0) as file:
                while file.write(block):
                    pass
        except OSError:
            return

    def free(self) -> None:
        """Give back what `fill` took."""
        self._filler.unlink(missing_ok=True)

    def break_down(self) -> None:
        """An error of the file system: from now on it is read-only (Linux: fs/ext4/sysfs.c). What
        was written before is on the disk: the check afterwards compares with its copies of results.
        """
        _run("sync", "--file-system", str(self.place))
        name = Path(self.device).name
        (Path("/sys/fs/ext4") / name / "trigger_fs_error").write_text("chaos")

    def repair(self) -> None:
        """Check it and mount it again. A copy of it: other boxes were started meanwhile and have a
        mount of the broken one as long as they live.
        """
        _run("umount", "-l", str(self.place))
        copy = self.image.with_name(f"{self.image.stem}-repaired.img")
        _run("cp", "--sparse=always", str(self.image), str(copy))
        done = subprocess.run(["e2fsck", "-fy", str(copy)], capture_output=True, check=False)
        assert done.returncode <= CORRECTED, done.stdout + done.stderr
        copy.rename(self.image)
        detach(self.device)  # as soon as nobody has it mounted
        self.device = attach(self.image)
        self.mount()
        assert not os.statvfs(self.place).f_flag & os.ST_RDONLY, "still read-only"

    def remove(self) -> None:
        """Unmount it and give the loop device back."""
        _run("umount", "-l", str(self.place))
        detach(self.device)

    @property
    def _filler(self) -> Path:
        return self.place / "filler"


def _run(*argv: str) -> None:
    subprocess.run(argv, check=True, capture_output=True)
