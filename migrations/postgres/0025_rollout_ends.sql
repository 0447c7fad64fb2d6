-- compatible-with: 10
-- Who ended a roll-out. Null if its guard did, or if it ended on a node of an earlier version.

ALTER TABLE rollouts ADD COLUMN ended_by TEXT COLLATE "C";
