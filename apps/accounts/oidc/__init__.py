"""Client of the OpenID Connect provider: metadata, keys, redirects and verified tokens."""
