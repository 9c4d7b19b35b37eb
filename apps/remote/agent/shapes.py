"""What the agent's objects look like: requests, a job's specification, settings on loan. Checked
where they come in (demands.py, spec.py); a type checker sees their keys, Python 3.6 plain
dictionaries.
"""

from typing import Dict, List, Optional, Union

TYPE_CHECKING = False

# A request, and what is answered: whatever they hold is looked at before it is used.
Request = Dict[str, object]
Reply = Dict[str, object]

if TYPE_CHECKING:
    from typing import TypedDict  # novm

    class Setting(TypedDict):
        """A setting that is asked for, and for what it is lent."""

        kind: str
        identity: str
        name: str
        value: Union[str, int]

    class _Journal(TypedDict):
        kind: str
        identity: str
        name: str
        original: str
        value: Optional[str]
        step: str
        seen: Optional[str]

    class JournalSetting(_Journal, total=False):
        """A setting in loan.json: see loan.py."""

        outcome: str

    class Command(TypedDict):
        """One process of a job."""

        role: str
        fills: str
        argv: List[str]
        files: List[str]
        listens: str
        always: bool
        may_fail: bool
        seconds: float

else:
    Setting = JournalSetting = Command = dict
