"""`bin/bench`: seconds that a person waits for, beside their limits."""
