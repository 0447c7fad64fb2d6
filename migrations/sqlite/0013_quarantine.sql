-- compatible-with: 10
-- quarantined_at: since when an entry of the schedule, or a delivery, which then is held, is not tried because it could not be read or
-- done; null otherwise. Each start of a program tries it again.
ALTER TABLE schedule ADD COLUMN quarantined_at BIGINT;
ALTER TABLE deliveries ADD COLUMN quarantined_at BIGINT;
CREATE INDEX deliveries_quarantined ON deliveries (sequence) WHERE quarantined_at IS NOT NULL;
