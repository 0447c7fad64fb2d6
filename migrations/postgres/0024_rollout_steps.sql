-- compatible-with: 10
-- Steps, guards and counts of roll-outs. A node of 0.2.0 quarantines an entry of the schedule whose kind it does not know.

-- The limits of the guard and the shares since the start, a JSON array, in 1/10,000.
ALTER TABLE rollouts ADD COLUMN guard_lost BIGINT;
ALTER TABLE rollouts ADD COLUMN guard_worse BIGINT;
ALTER TABLE rollouts ADD COLUMN shares TEXT COLLATE "C" NOT NULL DEFAULT '[]';

-- How many taps of one kind there were in an hour of a roll-out. Nothing says who made them.
-- hour: its first millisecond. threshold: the share by which an installation chose, in 1/10,000, if the tap is its first one; else -1.
-- item: empty if neither arm has it.
CREATE TABLE rollout_taps (
    app       TEXT COLLATE "C" NOT NULL,
    rollout   TEXT COLLATE "C" NOT NULL,
    hour      BIGINT NOT NULL,
    arm       TEXT COLLATE "C" NOT NULL,
    threshold BIGINT NOT NULL,
    item      TEXT COLLATE "C" NOT NULL,
    outcome   TEXT COLLATE "C" NOT NULL,
    count     BIGINT NOT NULL,
    PRIMARY KEY (app, rollout, hour, arm, threshold, item, outcome),
    FOREIGN KEY (app, rollout) REFERENCES rollouts (app, id) ON DELETE CASCADE
);

-- rollout: of an entry of the kind share, promote or stop. threshold: the share, in 1/10,000.
ALTER TABLE schedule ADD COLUMN rollout TEXT COLLATE "C";
ALTER TABLE schedule ADD COLUMN threshold BIGINT;
ALTER TABLE schedule DROP CONSTRAINT schedule_kind_check;
ALTER TABLE schedule ADD CONSTRAINT schedule_kind_check CHECK (kind IN ('publish', 'restore', 'delete', 'share', 'promote', 'stop'));
ALTER TABLE schedule ADD CONSTRAINT schedule_rollout_check CHECK ((kind IN ('share', 'promote', 'stop')) = (rollout IS NOT NULL));
