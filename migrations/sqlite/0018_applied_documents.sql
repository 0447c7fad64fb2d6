-- compatible-with: 10
-- What git last sent, so that an apply publishes only what changed in git.

-- name is that of a set, such as 2.0.0@member, or app for the app's own document. An app without rows was never applied, or only by an
-- older program.
CREATE TABLE applied_documents (
    app TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (app, name)
);

-- The set that an apply saved as this draft; null if nobody applied it. It is recorded once the draft is published.
ALTER TABLE drafts ADD COLUMN applied TEXT;
ALTER TABLE schedule ADD COLUMN applied TEXT;
