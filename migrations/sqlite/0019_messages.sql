-- compatible-with: 10
-- Why a revision was published, in its author's words.

-- Null if the author did not say, and for the automatic revert of a campaign.
ALTER TABLE revisions ADD COLUMN message TEXT;
-- The message of the revision that the entry publishes.
ALTER TABLE schedule ADD COLUMN message TEXT;
