"""From a bare machine to running servers: virtual environment, PostgreSQL, Valkey, processes."""
