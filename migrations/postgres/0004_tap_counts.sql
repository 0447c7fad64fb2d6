-- How often a tap of one kind was made in an hour; nothing that tells who made it.
--
-- hour: its first millisecond. item, tag_version, version: empty where the tap has none, or where taps are counted together
-- because an hour has too many kinds.
CREATE TABLE tap_counts (
    app         TEXT COLLATE "C" NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    hour        BIGINT NOT NULL,
    item        TEXT COLLATE "C" NOT NULL,
    tag_version TEXT COLLATE "C" NOT NULL,
    version     TEXT COLLATE "C" NOT NULL,
    outcome     TEXT COLLATE "C" NOT NULL,
    count       BIGINT NOT NULL,
    PRIMARY KEY (app, hour, item, tag_version, version, outcome)
);
CREATE INDEX tap_counts_by_age ON tap_counts (hour);
