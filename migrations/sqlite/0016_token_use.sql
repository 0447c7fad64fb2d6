-- compatible-with: 10
-- last_used_at: the hour in which the token, or a session of it, was last used; null if it never was. last_used_from: the address of the first
-- use in that hour.
ALTER TABLE tokens ADD COLUMN last_used_at BIGINT;
ALTER TABLE tokens ADD COLUMN last_used_from TEXT;
