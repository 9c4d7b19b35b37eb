"""Library and command line for benchlab.

>>> from benchlab_client import Client
>>> client = Client()
>>> frame = client.measurements(plan=3).to_pandas()
>>> client.compare(plan=3, factor="tuning")
"""

from benchlab_client.client import Client
from benchlab_client.comparison import Comparison, Verdict
from benchlab_client.errors import (
    BenchlabError,
    LoginError,
    NetworkError,
    ServerError,
    TimeOverError,
    UsageError,
)
from benchlab_client.measurements import Measurements
from benchlab_client.version import VERSION

__all__ = [
    "VERSION",
    "BenchlabError",
    "Client",
    "Comparison",
    "LoginError",
    "Measurements",
    "NetworkError",
    "ServerError",
    "TimeOverError",
    "UsageError",
    "Verdict",
]
