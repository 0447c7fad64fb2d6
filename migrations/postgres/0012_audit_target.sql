-- compatible-with: 10
-- What an audit entry concerns besides an app and a version, and what lists are filtered by.

-- Null where there is nothing else, and in entries from before. The name is the one that it had then.
ALTER TABLE audit ADD COLUMN target_kind TEXT COLLATE "C";
ALTER TABLE audit ADD COLUMN target_id TEXT COLLATE "C";
ALTER TABLE audit ADD COLUMN target_name TEXT COLLATE "C";

-- The audit is read newest first: by time, of one time by sequence.
DROP INDEX audit_by_app;
CREATE INDEX audit_by_time ON audit (at, sequence);
CREATE INDEX audit_by_app ON audit (app, at, sequence);
CREATE INDEX audit_by_token ON audit (token, at, sequence);
CREATE INDEX audit_by_action ON audit (action, at, sequence);
CREATE INDEX audit_by_target ON audit (target_id, at, sequence) WHERE target_id IS NOT NULL;

CREATE INDEX revisions_by_version ON revisions (app, version, number);
CREATE INDEX revisions_by_audience ON revisions (app, audience, number);
