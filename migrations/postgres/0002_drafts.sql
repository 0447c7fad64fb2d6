-- Sets that are being prepared, at most one for each place in a timeline; some have a time at which they are published.
--
-- tag: another random text after every save; the draft's entity tag. schedule_order: of two drafts for one instant the one
-- that was scheduled first is published first. scheduled_*: the author that the revision and its audit entry name.
CREATE TABLE drafts (
    app               TEXT COLLATE "C" NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    audience          TEXT COLLATE "C" NOT NULL,
    position          TEXT COLLATE "C" NOT NULL,
    version           TEXT COLLATE "C" NOT NULL,
    tag               TEXT COLLATE "C" NOT NULL,
    document          TEXT COLLATE "C" NOT NULL,
    saved_at          BIGINT NOT NULL,
    saved_by          TEXT COLLATE "C" NOT NULL,
    publish_at        BIGINT,
    schedule_order    BIGINT,
    scheduled_by      TEXT COLLATE "C",
    scheduled_from    TEXT COLLATE "C",
    scheduled_request TEXT COLLATE "C",
    PRIMARY KEY (app, audience, position),
    CHECK ((publish_at IS NULL) = (schedule_order IS NULL))
);
CREATE INDEX drafts_due ON drafts (publish_at, schedule_order) WHERE publish_at IS NOT NULL;
