"""Limits of failed logins and wrong API tokens, and their actions in the audit record."""

from __future__ import annotations

from datetime import timedelta

LOGIN = "log in"
FAILED_LOGIN = "fail to log in"
WRONG_TOKEN = "present a wrong token"
WINDOW = timedelta(minutes=15)
# A person mistypes a few times, a team behind one address more often; a guesser needs thousands.
PER_DEVICE = PER_PERSON_AND_ADDRESS = 5
PER_ADDRESS = 30
PER_PERSON = 50
WRONG_TOKENS = 20
# An address from which a person has logged in within this time is one of theirs.
OWN_ADDRESS = timedelta(days=30)
