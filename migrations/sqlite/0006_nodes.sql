-- Several processes on one database: which of them live, and whose each lease is.

-- The node that holds the lease: nodes.id.
ALTER TABLE deliveries ADD COLUMN lease_node TEXT;

-- One row a process, renewed every two seconds while it lives. id: new with every start; name: --node.
-- clock_offset_ms: the database's clock minus the node's. changes_behind: changes that the node has not heard of.
CREATE TABLE nodes (
    id              TEXT NOT NULL PRIMARY KEY,
    name            TEXT NOT NULL,
    version         TEXT NOT NULL,
    started_at      BIGINT NOT NULL,
    seen_at         BIGINT NOT NULL,
    clock_offset_ms BIGINT NOT NULL,
    changes_behind  BIGINT NOT NULL
);

-- A program whose newest migration is this one or a later one works on a database that has the row's migration; null where
-- only a program that knows the migration does. A script says so in its first line: "-- compatible-with: 6".
ALTER TABLE schema_migrations ADD COLUMN compatible_with BIGINT;
