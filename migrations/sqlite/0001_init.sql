-- The store's first shape. Statements use what SQLite and PostgreSQL share; only this folder speaks SQLite's dialect of
-- CREATE TABLE (INTEGER PRIMARY KEY numbers rows by itself, BLOB holds bytes).
--
-- Times are milliseconds since 1970, UTC. Truth is 0 or 1. A position is a version written so that text order is version
-- order: three parts of 18 digits. Documents and bodies are JSON text, kept byte for byte.

-- The stamp is another random text after every change of the app, its releases and its sets: what was read of them
-- under the same stamp still holds.
CREATE TABLE apps (
    id               TEXT NOT NULL PRIMARY KEY,
    stamp            TEXT NOT NULL,
    name             TEXT,
    default_language TEXT NOT NULL,
    fallback_url     TEXT
);

-- Outlives the app: a tag of its former life must never meet its number again.
CREATE TABLE revision_counters (
    app           TEXT NOT NULL PRIMARY KEY,
    last_revision BIGINT NOT NULL
);

CREATE TABLE releases (
    app      TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    position TEXT NOT NULL,
    version  TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (app, position)
);
CREATE INDEX releases_by_version ON releases (app, version, position);

-- Never purged, never changed; a deletion is a revision without a document.
CREATE TABLE revisions (
    app          TEXT NOT NULL,
    number       BIGINT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('published', 'deleted')),
    audience     TEXT NOT NULL,
    version      TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    published_by TEXT NOT NULL,
    document     TEXT,
    PRIMARY KEY (app, number)
);

-- What stands: which revision each version of a timeline shows.
CREATE TABLE sets (
    app      TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    audience TEXT NOT NULL,
    position TEXT NOT NULL,
    revision BIGINT NOT NULL,
    PRIMARY KEY (app, audience, position),
    FOREIGN KEY (app, revision) REFERENCES revisions (app, number)
);
CREATE UNIQUE INDEX sets_by_revision ON sets (app, revision);

-- Every item id ever published in a timeline, its app's former lives included.
CREATE TABLE item_ids (
    app      TEXT NOT NULL,
    audience TEXT NOT NULL,
    id       TEXT NOT NULL,
    PRIMARY KEY (app, audience, id)
);

-- Only the SHA-256 of a secret. apps: ids separated by blanks, null for all.
CREATE TABLE tokens (
    id          TEXT NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    role        TEXT NOT NULL,
    apps        TEXT,
    created_at  BIGINT NOT NULL,
    hash        BLOB NOT NULL,
    hash_prefix BLOB NOT NULL
);
CREATE INDEX tokens_by_prefix ON tokens (hash_prefix);
CREATE INDEX tokens_by_age ON tokens (created_at, id);

-- types, apps: separated by blanks, null for all. headers: one "name: value" a line.
-- failing_since: the first failure since the last success. hold_until: a Retry-After that the endpoint asked for.
CREATE TABLE endpoints (
    id                         TEXT NOT NULL PRIMARY KEY,
    url                        TEXT NOT NULL,
    types                      TEXT,
    apps                       TEXT,
    description                TEXT,
    headers                    TEXT NOT NULL,
    ordered                    INTEGER NOT NULL,
    enabled                    INTEGER NOT NULL,
    disabled_reason            TEXT,
    disabled_at                BIGINT,
    created_at                 BIGINT NOT NULL,
    secret                     TEXT NOT NULL,
    previous_secret            TEXT,
    previous_secret_expires_at BIGINT,
    failing_since              BIGINT,
    hold_until                 BIGINT
);
CREATE INDEX endpoints_by_age ON endpoints (created_at, id);

-- The body is made once and sent to every endpoint, in every attempt.
CREATE TABLE events (
    id          TEXT NOT NULL PRIMARY KEY,
    type        TEXT NOT NULL,
    app         TEXT,
    occurred_at BIGINT NOT NULL,
    body        TEXT NOT NULL
);
CREATE INDEX events_by_age ON events (occurred_at);

-- One event on its way to one endpoint. next_attempt_at is null unless pending. The lease names the claim under which an
-- attempt runs; what is held or cancelled meanwhile keeps its lease, so that the attempt's outcome is still written.
CREATE TABLE deliveries (
    sequence         INTEGER NOT NULL PRIMARY KEY,
    id               TEXT NOT NULL UNIQUE,
    event            TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    endpoint         TEXT NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'exhausted', 'held', 'cancelled')),
    created_at       BIGINT NOT NULL,
    next_attempt_at  BIGINT,
    attempts_made    INTEGER NOT NULL DEFAULT 0,
    lease_token      TEXT,
    lease_expires_at BIGINT,
    UNIQUE (event, endpoint),
    CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
);
-- Claiming: what is due at an endpoint, oldest first. With state the depth and age of the outbox are read from it alone.
CREATE INDEX deliveries_due ON deliveries (endpoint, next_attempt_at, created_at, state) WHERE state = 'pending';
-- Ordered claiming, holding, cancelling, recovering.
CREATE INDEX deliveries_by_state ON deliveries (endpoint, state, sequence);
-- What is under way: a handful of rows.
CREATE INDEX deliveries_leased ON deliveries (lease_expires_at, endpoint) WHERE lease_token IS NOT NULL;

CREATE TABLE attempts (
    sequence    INTEGER NOT NULL PRIMARY KEY,
    delivery    BIGINT NOT NULL REFERENCES deliveries (sequence) ON DELETE CASCADE,
    at          BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    status      INTEGER,
    error       TEXT,
    response    TEXT
);
CREATE INDEX attempts_by_delivery ON attempts (delivery, sequence);

-- One entry a successful write. Append-only.
CREATE TABLE audit (
    sequence INTEGER NOT NULL PRIMARY KEY,
    at       BIGINT NOT NULL,
    token    TEXT NOT NULL,
    action   TEXT NOT NULL,
    app      TEXT,
    version  TEXT,
    audience TEXT,
    revision BIGINT,
    address  TEXT NOT NULL,
    request  TEXT NOT NULL
);
CREATE INDEX audit_by_app ON audit (app, sequence);
