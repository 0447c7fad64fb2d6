-- compatible-with: 10
-- Sessions of people whom a proxy has signed in.

-- {"address", "groups"}, as the proxy gave them; null for the session of a token. Such a session has the SHA-256 of the person's id in
-- configured, which is no configured token's: an older program refuses it.
ALTER TABLE sessions ADD COLUMN person TEXT;
