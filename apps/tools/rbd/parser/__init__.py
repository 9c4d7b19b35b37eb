"""Reading what rbd bench prints."""
