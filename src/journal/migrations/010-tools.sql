-- The set of tools that an agent which the hub runs was given; null: it has the hub's own, or a person started it.
ALTER TABLE agent ADD COLUMN tools TEXT;
