-- Sessions of the console, and what a draft was made from.

-- hash: SHA-256 of the cookie's value. token: the token that signed in, with which its sessions end; null for a session of --admin-token,
-- whose SHA-256 is in configured: the session ends when another one is configured.
CREATE TABLE sessions (
    hash       BLOB NOT NULL PRIMARY KEY,
    token      TEXT REFERENCES tokens (id) ON DELETE CASCADE,
    configured BLOB,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    CHECK ((token IS NULL) <> (configured IS NULL))
);
CREATE INDEX sessions_by_token ON sessions (token);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- The revision of the set that stood when the draft was begun, or that its editor has merged it with: 0 where there was no such set, null
-- where nobody knows.
ALTER TABLE drafts ADD COLUMN base BIGINT;
