"""Limits of the host's owner, which the agent obeys before it obeys benchlab."""
