-- compatible-with: 10
-- What the console needs: languages and icons of apps, incomplete drafts and their reviews, taps by day.

-- languages: a JSON array of tags in the order of the editors; null for the default language alone. icon: the entity tag of the app's icon.
ALTER TABLE apps ADD COLUMN languages TEXT COLLATE "C";
ALTER TABLE apps ADD COLUMN icon TEXT COLLATE "C";

CREATE TABLE app_icons (
    app TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE,
    png BYTEA NOT NULL
);

-- Both are {"tag", "document"} and count only while the draft has that tag, because an older program does not change them when it saves
-- the draft. incomplete: the document, if it cannot be published; `document` then has its valid part. review: who asked for approval or for
-- changes.
ALTER TABLE drafts ADD COLUMN incomplete TEXT COLLATE "C";
ALTER TABLE drafts ADD COLUMN review TEXT COLLATE "C";

-- How many taps an app got on a day (UTC), and how many of them were lost. An older program does not write to this table.
CREATE TABLE tap_days (
    app   TEXT COLLATE "C" NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    day   BIGINT NOT NULL,
    count BIGINT NOT NULL,
    lost  BIGINT NOT NULL,
    PRIMARY KEY (app, day)
);
CREATE INDEX tap_days_by_age ON tap_days (day);
INSERT INTO tap_days (app, day, count, lost)
SELECT app, hour - hour % 86400000, CAST(SUM(count) AS BIGINT), CAST(SUM(CASE WHEN outcome = 'removed' THEN count ELSE 0 END) AS BIGINT)
FROM (SELECT app, hour, outcome, count FROM tap_counts UNION ALL SELECT app, hour, outcome, count FROM tap_tallies) AS taps
GROUP BY app, hour - hour % 86400000;
