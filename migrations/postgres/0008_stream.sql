-- What the live stream tells (GET /v1/stream): one row a change, written in the change's own transaction. A program without this table
-- would change apps and tell nobody, so none works on it.
--
-- number: in the order of the commits, without gaps. tag: random, so that a number of another life of this database (before a backup was
-- put back) is not taken for one of this one. What was changed: a set, where audience is not null (from first_version up to
-- end_version, null without end); the app or a release, where only revision is not null; the app was deleted, where neither is.
-- app is null in the first row, which is there so that every journal has one. The newest row is never pruned.
CREATE TABLE stream_journal (
    number        BIGINT NOT NULL PRIMARY KEY,
    tag           TEXT COLLATE "C" NOT NULL,
    at            BIGINT NOT NULL,
    app           TEXT COLLATE "C",
    revision      BIGINT,
    audience      TEXT COLLATE "C",
    first_version TEXT COLLATE "C",
    end_version   TEXT COLLATE "C"
);
CREATE INDEX stream_journal_by_app ON stream_journal (app, number);
INSERT INTO stream_journal (number, tag, at) VALUES (0, substr(md5(random()::text || clock_timestamp()::text), 1, 8), 0);
