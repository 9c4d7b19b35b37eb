"""Generator of the table of versions.

`python -m apps.tools.fio.options.generate_versions DIR > versions.json`. DIR has a folder for each
version of fio, such as `3.41`, with the output of its help: `cmdhelp` (`fio --cmdhelp=all`),
`enghelp` (`fio --enghelp`) and `enghelp-NAME` for engines. The result holds names and versions
only, and of engines those that a step may have.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from apps.tools.fio.fields import ENGINES
from apps.tools.option_versions import version_key

_OPTION = re.compile(r"^ {0,8}([a-z][a-z0-9_-]{1,39}) *:", re.MULTILINE)
_ENGINE = re.compile(r"^\t([a-z][a-z0-9_-]{0,39})$", re.MULTILINE)


def names_in(folder: Path) -> frozenset[str]:
    """Return the options of one version, engines as "ioengine=NAME"."""
    names: set[str] = set()
    for path in sorted(folder.iterdir()):
        text = path.read_text("utf-8", "replace")
        if path.name == "enghelp":
            names |= {f"ioengine={name}" for name in _ENGINE.findall(text) if name in ENGINES}
        elif path.name == "cmdhelp" or path.name.startswith("enghelp-"):
            names |= set(_OPTION.findall(text))
    return frozenset(names)


def table_of(lists: Mapping[str, frozenset[str]]) -> dict[str, list[str | None]]:
    """Return the first and last version of each option; None beyond the versions that were read."""
    versions = sorted(lists, key=lambda version: version_key(version) or ())
    return {
        name: _limits([version for version in versions if name in lists[version]], versions)
        for name in sorted(frozenset().union(*lists.values()))
    }


def _limits(having: Sequence[str], versions: Sequence[str]) -> list[str | None]:
    first, last = having[0], having[-1]
    return [None if first == versions[0] else first, None if last == versions[-1] else last]


def document(root: Path) -> dict[str, object]:
    """Return the content of `versions.json`."""
    lists = {each.name: names_in(each) for each in root.iterdir() if version_key(each.name)}
    versions = sorted(lists, key=lambda version: version_key(version) or ())
    return {"versions": versions, "options": table_of(lists)}


if __name__ == "__main__":
    json.dump(document(Path(sys.argv[1])), sys.stdout, indent=1)
    sys.stdout.write("\n")
