"""Limits of failed logins and wrong API tokens, and their actions in the audit log."""

from __future__ import annotations

from datetime import timedelta

LOGIN = "log in"
FAILED_LOGIN = "fail to log in"
WRONG_TOKEN = "present a wrong token"
WINDOW = timedelta(minutes=15)
# A user mistypes a few times, a team behind one address more often; guessing needs thousands.
PER_DEVICE = PER_PERSON_AND_ADDRESS = 5
PER_ADDRESS = 30
PER_PERSON = 50
WRONG_TOKENS = 20
# Addresses of a user's logins within this time are trusted.
OWN_ADDRESS = timedelta(days=30)
