"""What every kind of setting on loan can do: be judged, read, written. Journal, order and giving
back are loan.py's and giving_back.py's.
"""

from typing import Any, Dict, List, Optional, Tuple

from .files import JSON

# A line of the journal: see loan.py.
Entry = Dict[str, Any]


class Kind:
    """One kind of setting. Reading and writing raise OSError with the reason as its text."""

    # Whether its values outlive a restart of the host.
    lasting = False
    # Whether several are written in one go, since each alone takes long.
    together = False

    def objection(self, item: JSON) -> str:
        """Why a wanted setting cannot be meant, as a sentence; empty when it can. Asks nobody."""
        raise NotImplementedError

    def snapshot(self, wanted: List[JSON]) -> List[Entry]:
        """The journal's lines for what is wanted and for all that may change along (their `value`
        is None), in the order in which they are applied. Raises RefusalError or OSError.
        """
        raise NotImplementedError

    def forget(self) -> None:
        """What was read before is read anew."""

    def is_there(self, entry: Entry) -> bool:
        """Whether what carries the setting is there; if not, there is nothing to give back."""
        raise NotImplementedError

    def read(self, entry: Entry) -> Optional[str]:
        """The value now; None when it cannot be read."""
        raise NotImplementedError

    def write(self, entry: Entry, value: str) -> None:
        """Set it."""
        raise NotImplementedError

    def write_all(self, values: List[Tuple[Entry, str]]) -> List[str]:
        """Set them all; for each the reason why it could not be set, empty where it was."""
        return [self.tried(entry, value) for entry, value in values]

    def tried(self, entry: Entry, value: str) -> str:
        """Set one; why it could not be set, empty where it was."""
        try:
            self.write(entry, value)
        except OSError as error:
            return str(error.strerror)
        return ""

    def same(self, asked: str, found: Optional[str]) -> bool:
        """Whether what was found is what was asked for."""
        return asked == found

    def doubts(self, entries: List[Entry]) -> List[str]:
        """For each: why a value that was set does not hold all the same; empty when it does."""
        return ["" for _entry in entries]

    def whose(self, entry: Entry) -> str:
        """What carries the setting, for people."""
        raise NotImplementedError

    def hint(self, entry: Entry) -> str:
        """What else could be chosen, as a sentence; empty when that is not known."""
        return ""

    def rank(self, entry: Entry) -> int:
        """What has a smaller number is given back first, as it changes others along."""
        return 0

    def lent(self, entry: Entry) -> Tuple[str, ...]:
        """What only one job at a time may have on loan; the last word is for people."""
        raise NotImplementedError


def line(kind: str, identity: str, name: str, original: Optional[str]) -> Entry:
    """A new line of the journal for something that is not asked for, but may change along."""
    keys = {"kind": kind, "identity": identity, "name": name, "original": original}
    return dict(keys, value=None, step="planned", seen=original)
