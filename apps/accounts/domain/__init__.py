"""Values of accounts without the database."""
