-- compatible-with: 10
-- The traceparent (W3C Trace Context) of the request that caused an event; null where there was none, and in rows of an older program.
ALTER TABLE events ADD COLUMN traceparent TEXT;
