"""Configuration of the web server (`gunicorn --config python:benchlab.gunicorn benchlab.wsgi`).

The address and port are arguments: `benchlab.local.stack.web_port`, and the Dockerfile.
"""

from __future__ import annotations

import os

worker_class = "gthread"
threads = int(os.environ.get("BENCHLAB_WEB_THREADS", "16"))
preload_app = True  # the code is loaded once, for all processes
graceful_timeout = 2
keepalive = 15
control_socket_disable = True
forwarded_allow_ips = ""  # the settings name trusted proxies
