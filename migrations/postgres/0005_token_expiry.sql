-- From this time on the token is refused; null where it holds until it is revoked.
ALTER TABLE tokens ADD COLUMN expires_at BIGINT;
