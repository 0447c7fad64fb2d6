-- compatible-with: 10
-- How far each process has come with its batches of taps, so that a batch whose commit was not answered is not counted twice. A row is
-- written with the batch, in one transaction, and is pruned.
CREATE TABLE tap_writers (
    id    TEXT NOT NULL PRIMARY KEY,
    batch BIGINT NOT NULL,
    at    BIGINT NOT NULL
);
