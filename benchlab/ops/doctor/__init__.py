"""`bin/manage doctor`: problems of an installation and their remedies."""
