-- compatible-with: 10
-- Steps, guards and counts of roll-outs. A node of 0.2.0 quarantines an entry of the schedule whose kind it does not know.

-- The limits of the guard and the shares since the start, a JSON array, in 1/10,000.
ALTER TABLE rollouts ADD COLUMN guard_lost BIGINT;
ALTER TABLE rollouts ADD COLUMN guard_worse BIGINT;
ALTER TABLE rollouts ADD COLUMN shares TEXT NOT NULL DEFAULT '[]';

-- How many taps of one kind there were in an hour of a roll-out. Nothing says who made them.
-- hour: its first millisecond. threshold: the share by which an installation chose, in 1/10,000, if the tap is its first one; else -1.
-- item: empty if neither arm has it.
CREATE TABLE rollout_taps (
    app       TEXT NOT NULL,
    rollout   TEXT NOT NULL,
    hour      BIGINT NOT NULL,
    arm       TEXT NOT NULL,
    threshold BIGINT NOT NULL,
    item      TEXT NOT NULL,
    outcome   TEXT NOT NULL,
    count     BIGINT NOT NULL,
    PRIMARY KEY (app, rollout, hour, arm, threshold, item, outcome),
    FOREIGN KEY (app, rollout) REFERENCES rollouts (app, id) ON DELETE CASCADE
);

-- rollout: of an entry of the kind share, promote or stop. threshold: the share, in 1/10,000.
-- A table with a check that changes is made anew.
CREATE TABLE schedule_with_rollouts (
    app                TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    id                 TEXT NOT NULL,
    audience           TEXT NOT NULL,
    position           TEXT NOT NULL,
    version            TEXT NOT NULL,
    due_at             BIGINT NOT NULL,
    sequence           BIGINT NOT NULL,
    kind               TEXT NOT NULL CHECK (kind IN ('publish', 'restore', 'delete', 'share', 'promote', 'stop')),
    tag                TEXT,
    document           TEXT,
    saved_at           BIGINT,
    saved_by           TEXT,
    savers             TEXT NOT NULL DEFAULT '[]',
    approvals          TEXT NOT NULL DEFAULT '[]',
    override_reason    TEXT,
    revision           BIGINT,
    expected_revision  BIGINT,
    follows            TEXT,
    scheduled_at       BIGINT NOT NULL,
    scheduled_by       TEXT NOT NULL,
    scheduled_from     TEXT NOT NULL,
    scheduled_request  TEXT NOT NULL,
    base               BIGINT,
    quarantined_at     BIGINT,
    scheduled_token_id TEXT,
    scheduled_owner    TEXT,
    scheduled_role     TEXT,
    scheduled_session  TEXT,
    applied            TEXT,
    message            TEXT,
    rollout            TEXT,
    threshold          BIGINT,
    PRIMARY KEY (app, id),
    CHECK ((kind = 'publish') = (document IS NOT NULL)),
    CHECK (kind <> 'publish' OR (tag IS NOT NULL AND saved_at IS NOT NULL AND saved_by IS NOT NULL)),
    CHECK ((kind IN ('share', 'promote', 'stop')) = (rollout IS NOT NULL))
);
INSERT INTO schedule_with_rollouts
SELECT app, id, audience, position, version, due_at, sequence, kind, tag, document, saved_at, saved_by, savers, approvals, override_reason,
    revision, expected_revision, follows, scheduled_at, scheduled_by, scheduled_from, scheduled_request, base, quarantined_at,
    scheduled_token_id, scheduled_owner, scheduled_role, scheduled_session, applied, message, NULL, NULL
FROM schedule;
DROP TABLE schedule;
ALTER TABLE schedule_with_rollouts RENAME TO schedule;
CREATE INDEX schedule_due ON schedule (due_at, sequence);
CREATE INDEX schedule_by_app ON schedule (app, due_at, sequence);
CREATE INDEX schedule_by_set ON schedule (app, audience, position);
