-- When the key of a peer was taken on trust, as the first one that it showed. Wall time; null where pairing proved it.
ALTER TABLE peer ADD COLUMN key_seen INTEGER;
