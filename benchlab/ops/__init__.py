"""Setting up, backup, health and demonstration of an installation."""
