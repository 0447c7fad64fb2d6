-- The schedule: what happens to the sets of an app at a time, any number of entries a set; approvals of drafts; what an audit entry
-- says beside its subject.

-- How many approvals a draft needs before it is published or scheduled: 0 to 5.
ALTER TABLE apps ADD COLUMN approvals INTEGER NOT NULL DEFAULT 0;

-- sequence: of two entries for one instant the one that was made first is first.
-- publish: tag, document, saved_at, saved_by, savers and approvals are the draft's, as it was scheduled; override_reason: why an owner
-- scheduled it without the approvals that it needed.
-- restore: revision has the content. The way back of a publish is a restore or delete that fires only while the set stands at
-- expected_revision. Until that publish has fired, which is the entry `follows`, its revision and expected_revision are unknown.
-- scheduled_*: the author that the revision and its audit entry name.
CREATE TABLE schedule (
    app               TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    id                TEXT NOT NULL,
    audience          TEXT NOT NULL,
    position          TEXT NOT NULL,
    version           TEXT NOT NULL,
    due_at            BIGINT NOT NULL,
    sequence          BIGINT NOT NULL,
    kind              TEXT NOT NULL CHECK (kind IN ('publish', 'restore', 'delete')),
    tag               TEXT,
    document          TEXT,
    saved_at          BIGINT,
    saved_by          TEXT,
    savers            TEXT NOT NULL DEFAULT '[]',
    approvals         TEXT NOT NULL DEFAULT '[]',
    override_reason   TEXT,
    revision          BIGINT,
    expected_revision BIGINT,
    follows           TEXT,
    scheduled_at      BIGINT NOT NULL,
    scheduled_by      TEXT NOT NULL,
    scheduled_from    TEXT NOT NULL,
    scheduled_request TEXT NOT NULL,
    PRIMARY KEY (app, id),
    CHECK ((kind = 'publish') = (document IS NOT NULL)),
    CHECK (kind <> 'publish' OR (tag IS NOT NULL AND saved_at IS NOT NULL AND saved_by IS NOT NULL))
);
CREATE INDEX schedule_due ON schedule (due_at, sequence);
CREATE INDEX schedule_by_app ON schedule (app, due_at, sequence);
CREATE INDEX schedule_by_set ON schedule (app, audience, position);

-- A draft that had a time is an entry from now on, and no draft any more.
INSERT INTO schedule (
    app, id, audience, position, version, due_at, sequence, kind, tag, document, saved_at, saved_by, scheduled_at, scheduled_by,
    scheduled_from, scheduled_request)
SELECT app, 'sch_' || lower(hex(randomblob(10))), audience, position, version, publish_at, schedule_order, 'publish', tag, document,
    saved_at, saved_by, saved_at, COALESCE(scheduled_by, saved_by), COALESCE(scheduled_from, ''), COALESCE(scheduled_request, '')
FROM drafts WHERE publish_at IS NOT NULL;
DELETE FROM drafts WHERE publish_at IS NOT NULL;

-- savers: the ids of the tokens that saved the draft since there was none, a JSON array; empty where it was last saved before they
-- were recorded. approvals: [{"id", "token", "at"}], each with the id and the name of a token.
-- A table with a check on columns that go is made anew.
CREATE TABLE drafts_without_time (
    app       TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    audience  TEXT NOT NULL,
    position  TEXT NOT NULL,
    version   TEXT NOT NULL,
    tag       TEXT NOT NULL,
    document  TEXT NOT NULL,
    saved_at  BIGINT NOT NULL,
    saved_by  TEXT NOT NULL,
    savers    TEXT NOT NULL DEFAULT '[]',
    approvals TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (app, audience, position)
);
INSERT INTO drafts_without_time (app, audience, position, version, tag, document, saved_at, saved_by)
SELECT app, audience, position, version, tag, document, saved_at, saved_by FROM drafts;
DROP TABLE drafts;
ALTER TABLE drafts_without_time RENAME TO drafts;

-- A JSON object with the members that are not columns: reason (of an override), changes (of apply).
ALTER TABLE audit ADD COLUMN detail TEXT;
