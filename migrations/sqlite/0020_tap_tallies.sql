-- compatible-with: 10
-- Taps by audience and revision, and taps that clients count.

-- How many taps of one kind there were in an hour. Nothing says who made them. An older program still writes to tap_counts, whose key it
-- names, and does not read this table.
--
-- hour: its first millisecond. counted: resolved by the service, or reported by a client. audience, item, tag_version, version: empty, and
-- revision: 0, if the tap has none, or if taps are counted together.
CREATE TABLE tap_tallies (
    app         TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    hour        BIGINT NOT NULL,
    counted     TEXT NOT NULL,
    audience    TEXT NOT NULL,
    revision    BIGINT NOT NULL,
    item        TEXT NOT NULL,
    tag_version TEXT NOT NULL,
    version     TEXT NOT NULL,
    outcome     TEXT NOT NULL,
    count       BIGINT NOT NULL,
    PRIMARY KEY (app, hour, counted, audience, revision, item, tag_version, version, outcome)
);
CREATE INDEX tap_tallies_by_age ON tap_tallies (hour);

-- The batches that clients reported, so that a repeated batch is not counted again. A row is written with the counts, in one transaction,
-- and is pruned.
--
-- id: the 16 bytes of the client's UUID. counted: how many taps of the batch were counted, in their order; null once all were.
CREATE TABLE tap_batches (
    app     TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    id      BLOB NOT NULL,
    counted BIGINT,
    at      BIGINT NOT NULL,
    PRIMARY KEY (app, id)
);
CREATE INDEX tap_batches_by_age ON tap_batches (at);
