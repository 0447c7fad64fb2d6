-- compatible-with: 10
-- Who is behind a write: owners of tokens, the tokens that made them, the ids of tokens and sessions, and who imported a revision.

-- owner: the person, team or program that the token belongs to; null in rows of an older program, whose owner is the name. created_by: the
-- id of the token that created it, or "admin-token"; null on the command line, for the first token, and in rows from before.
ALTER TABLE tokens ADD COLUMN owner TEXT;
ALTER TABLE tokens ADD COLUMN created_by TEXT;
UPDATE tokens SET owner = name;

-- Revoked tokens: their names are not given again for a while, and who made what stays known.
CREATE TABLE former_tokens (
    id         TEXT NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL,
    owner      TEXT NOT NULL,
    created_by TEXT,
    revoked_at BIGINT NOT NULL
);
INSERT INTO former_tokens (id, name, owner, revoked_at)
SELECT target_id, MAX(target_name), MAX(target_name), MAX(at) FROM audit
WHERE action = 'token.revoked' AND target_kind = 'token' AND target_id IS NOT NULL AND target_name IS NOT NULL GROUP BY target_id;

-- The author of an entry, beside the name: null in entries from before.
ALTER TABLE audit ADD COLUMN token_id TEXT;
ALTER TABLE audit ADD COLUMN owner TEXT;
ALTER TABLE audit ADD COLUMN role TEXT;
ALTER TABLE audit ADD COLUMN session TEXT;
CREATE INDEX audit_by_token_id ON audit (token_id, at) WHERE token_id IS NOT NULL;

ALTER TABLE schedule ADD COLUMN scheduled_token_id TEXT;
ALTER TABLE schedule ADD COLUMN scheduled_owner TEXT;
ALTER TABLE schedule ADD COLUMN scheduled_role TEXT;
ALTER TABLE schedule ADD COLUMN scheduled_session TEXT;

-- Who imported the revision, which may name any author: a token's name. Null where it was published here.
ALTER TABLE revisions ADD COLUMN imported_by TEXT;
ALTER TABLE revisions ADD COLUMN imported_at BIGINT;
