"""The faults, a file for each kind of thing that breaks."""

from tests.chaos.fault import Fault
from tests.chaos.faults import database, host, network, people, processes, storage

FAULTS: tuple[Fault, ...] = (
    *processes.FAULTS,
    *database.FAULTS,
    *network.FAULTS,
    *host.FAULTS,
    *storage.FAULTS,
    *people.FAULTS,
)
