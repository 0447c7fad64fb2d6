-- compatible-with: 10
-- Preview links, with which a phone fetches drafts.

-- version and audience: the only draft that the link shows; null for every version, or every audience. hash: SHA-256 of the link's token.
-- token, configured and person: the creator, as in sessions. The link ends with the creator's rights.
CREATE TABLE preview_links (
    id         TEXT NOT NULL PRIMARY KEY,
    app        TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    version    TEXT,
    audience   TEXT,
    hash       BLOB NOT NULL,
    token      TEXT REFERENCES tokens (id) ON DELETE CASCADE,
    configured BLOB,
    person     TEXT,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    CHECK ((token IS NULL) <> (configured IS NULL))
);
CREATE INDEX preview_links_by_app ON preview_links (app, created_at, id);
CREATE INDEX preview_links_by_token ON preview_links (token);
CREATE INDEX preview_links_by_expiry ON preview_links (expires_at);
