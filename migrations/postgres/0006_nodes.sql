-- Several processes on one database: which of them live, and whose each lease is.

-- The node that holds the lease: nodes.id.
ALTER TABLE deliveries ADD COLUMN lease_node TEXT COLLATE "C";

-- One row a process, renewed every two seconds while it lives. id: new with every start; name: --node.
-- clock_offset_ms: the database's clock minus the node's. changes_behind: changes that the node has not heard of.
CREATE TABLE nodes (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name            TEXT COLLATE "C" NOT NULL,
    version         TEXT COLLATE "C" NOT NULL,
    started_at      BIGINT NOT NULL,
    seen_at         BIGINT NOT NULL,
    clock_offset_ms BIGINT NOT NULL,
    changes_behind  BIGINT NOT NULL
);

-- A program whose newest migration is this one or a later one works on a database that has the row's migration; null where
-- only a program that knows the migration does. A script says so in its first line: "-- compatible-with: 6".
ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS compatible_with BIGINT;

-- What each commit changed, for the other nodes, which read it in the order of the numbers. Pruned by age.
-- node: --node of the process that committed, "command" for a command. token: names the commit.
CREATE TABLE changes (
    number  BIGINT NOT NULL PRIMARY KEY,
    at      BIGINT NOT NULL,
    node    TEXT COLLATE "C" NOT NULL,
    token   TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL
);

-- The last number that was given. It is raised under the lock of the writers, so numbers have no gaps and follow the order of
-- the commits.
CREATE TABLE change_counter (
    id   INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    last BIGINT NOT NULL
);
INSERT INTO change_counter (id, last) VALUES (1, 0);

-- Rows of these tables are written over and over: dead ones are cleaned up before they are in the way of claims.
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.02);
