"""python -m benchlab_client: the command line."""

import sys

from benchlab_client.cli import main

sys.exit(main())
