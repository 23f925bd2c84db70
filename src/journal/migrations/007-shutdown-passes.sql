-- A word to shut down does not wait behind what is held.
ALTER TABLE delivery ADD COLUMN passes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE delivery_ended ADD COLUMN passes INTEGER NOT NULL DEFAULT 0;
