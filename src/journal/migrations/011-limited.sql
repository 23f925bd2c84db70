-- Until when an agent is limited by its vendor, in wall time; null: it is not, or its vendor did not say.
ALTER TABLE agent ADD COLUMN limited_until INTEGER;
