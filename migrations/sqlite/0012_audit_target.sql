-- compatible-with: 10
-- What an audit entry concerns besides an app and a version, and what lists are filtered by.

-- Null where there is nothing else, and in entries from before. The name is the one that it had then.
ALTER TABLE audit ADD COLUMN target_kind TEXT;
ALTER TABLE audit ADD COLUMN target_id TEXT;
ALTER TABLE audit ADD COLUMN target_name TEXT;

-- The audit is read newest first: by time, of one time by sequence, which each index ends with.
DROP INDEX audit_by_app;
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_app ON audit (app, at);
CREATE INDEX audit_by_token ON audit (token, at);
CREATE INDEX audit_by_action ON audit (action, at);
CREATE INDEX audit_by_target ON audit (target_id, at) WHERE target_id IS NOT NULL;

CREATE INDEX revisions_by_version ON revisions (app, version, number);
CREATE INDEX revisions_by_audience ON revisions (app, audience, number);
