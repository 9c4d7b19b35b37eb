"""Rules of accounts without a database."""
