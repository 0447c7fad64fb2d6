-- What the live stream tells (GET /v1/stream): one row a change, written in the change's own transaction. A program without this table
-- would change apps and tell nobody, so none works on it.
--
-- number: in the order of the commits, without gaps. tag: random, so that a number of another life of this database (before a backup was
-- put back) is not taken for one of this one. What was changed: a set, where audience is not null (from first_version up to
-- end_version, null without end); the app or a release, where only revision is not null; the app was deleted, where neither is.
-- app is null in the first row, which is there so that every journal has one. The newest row is never pruned.
CREATE TABLE stream_journal (
    number        INTEGER NOT NULL PRIMARY KEY,
    tag           TEXT NOT NULL,
    at            BIGINT NOT NULL,
    app           TEXT,
    revision      BIGINT,
    audience      TEXT,
    first_version TEXT,
    end_version   TEXT
);
CREATE INDEX stream_journal_by_app ON stream_journal (app, number);
INSERT INTO stream_journal (number, tag, at) VALUES (0, lower(hex(randomblob(4))), 0);
