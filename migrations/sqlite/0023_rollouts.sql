-- compatible-with: 10
-- Roll-outs. While nodes of 0.2.0 run, they serve only the sets.

-- The roll-out whose candidate a revision is. Its kind stays `published`, because an older program knows no other.
ALTER TABLE revisions ADD COLUMN rollout TEXT;

-- threshold: the share, in 1/10,000. The document is that of the revision. ended_at is null while it runs.
CREATE TABLE rollouts (
    app        TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    id         TEXT NOT NULL,
    audience   TEXT NOT NULL,
    position   TEXT NOT NULL,
    version    TEXT NOT NULL,
    revision   BIGINT NOT NULL,
    threshold  BIGINT NOT NULL CHECK (threshold BETWEEN 0 AND 10000),
    started_at BIGINT NOT NULL,
    started_by TEXT NOT NULL,
    ended_at   BIGINT,
    ending     TEXT,
    PRIMARY KEY (app, id)
);
-- At most one of a set runs.
CREATE UNIQUE INDEX rollouts_running ON rollouts (app, audience, position) WHERE ended_at IS NULL;
