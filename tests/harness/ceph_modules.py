"""The manager's modules in Python that every cluster has, without what they do: to import them
takes nearly two seconds of a processor at each start, and what they do at rest a tenth of one.

A manager without them is not healthy. What benchlab asks is answered by the monitors, and by the
part of the manager that is not in Python: it counts, and knows how the placement groups are.
"""

from __future__ import annotations

from pathlib import Path

# Always on in Ceph 16 (MonCommands, "mgr module ls"): a release that has more is not healthy, and
# says which are missing in its log.
NAMES = (
    *("balancer", "crash", "devicehealth", "orchestrator", "pg_autoscaler"),
    *("progress", "rbd_support", "status", "telemetry", "volumes"),
)
# In the place of Ceph's own mgr_module.py, of which every module is a subclass.
BASE = """
import ceph_module


class MgrModule(ceph_module.BaseMgrModule):
    COMMANDS, MODULE_OPTIONS, NOTIFY_TYPES = [], [], []

    def __init__(self, name, *pointers):
        super().__init__(*pointers)

    @classmethod
    def _register_options(cls, name):
        pass

    _register_commands = _register_options

    @classmethod
    def can_run(cls):
        return True, ""

    def serve(self):
        pass

    shutdown = config_notify = serve


class MgrStandbyModule(ceph_module.BaseMgrStandbyModule):
    pass
"""
MODULE = """
from mgr_module import MgrModule


class Module(MgrModule):
    pass
"""


def write_modules(folder: Path) -> None:
    """Make a folder for the manager's `mgr_module_path`."""
    folder.mkdir()
    (folder / "mgr_module.py").write_text(BASE)
    for name in NAMES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(MODULE)
        (folder / name / "module.py").touch()  # by this file a folder is a module
