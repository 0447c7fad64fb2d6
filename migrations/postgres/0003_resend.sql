-- Resending by hand, and letting go of what is old.

-- Whether somebody asked for the attempt, beside the schedule.
ALTER TABLE attempts ADD COLUMN manual BIGINT NOT NULL DEFAULT 0;

-- resend_from: the next attempt, or the one under way, was asked for; if it fails, the delivery is again what it was, and
-- where it was pending its next attempt is due at resend_resumes_at. resend_again: asked for while an attempt is under
-- way, so one more follows it.
ALTER TABLE deliveries ADD COLUMN resend_from TEXT COLLATE "C";
ALTER TABLE deliveries ADD COLUMN resend_resumes_at BIGINT;
ALTER TABLE deliveries ADD COLUMN resend_again BIGINT NOT NULL DEFAULT 0;

-- Pruning: the oldest that are finished or held. What is pending is in no need of it, so a publish does not pay for it.
CREATE INDEX deliveries_by_age ON deliveries (state, created_at) WHERE state <> 'pending';
