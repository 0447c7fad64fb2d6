-- compatible-with: 9
-- The base of the draft that a publish was scheduled with (drafts.base), which it has again where the publish fails: null where nobody
-- knows, as of entries that a program without this column has made.
ALTER TABLE schedule ADD COLUMN base BIGINT;
