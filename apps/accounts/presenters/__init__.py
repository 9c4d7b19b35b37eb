"""Text of accounts for pages."""
